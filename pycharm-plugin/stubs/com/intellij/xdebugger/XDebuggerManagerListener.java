// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebuggerManagerListener.java
package com.intellij.xdebugger;

public interface XDebuggerManagerListener {
  default void processStarted(XDebugProcess debugProcess) {}

  default void processStopped(XDebugProcess debugProcess) {}

  default void currentSessionChanged(XDebugSession previousSession, XDebugSession currentSession) {}
}
