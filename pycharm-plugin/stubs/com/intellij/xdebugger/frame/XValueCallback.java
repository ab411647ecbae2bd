// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValueCallback.java
package com.intellij.xdebugger.frame;

public interface XValueCallback {
  void errorOccurred(String errorMessage);
}
