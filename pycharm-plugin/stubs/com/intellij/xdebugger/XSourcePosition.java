// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XSourcePosition.java
package com.intellij.xdebugger;

public interface XSourcePosition {
  int getLine();

  int getOffset();
}
