// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValuePlace.java
package com.intellij.xdebugger.frame;

public enum XValuePlace {
  TREE,
  TOOLTIP
}
