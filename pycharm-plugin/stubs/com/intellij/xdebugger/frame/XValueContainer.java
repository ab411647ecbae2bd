// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValueContainer.java
package com.intellij.xdebugger.frame;

public abstract class XValueContainer {}
