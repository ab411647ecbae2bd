// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValueCallback.java
package com.intellij.xdebugger.frame;

import org.jetbrains.annotations.NotNull;

public interface XValueCallback {
  void errorOccurred(@NotNull String errorMessage);
}
