// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebugProcess.java
package com.intellij.xdebugger;

import com.intellij.xdebugger.evaluation.XDebuggerEditorsProvider;

public abstract class XDebugProcess {
  private final XDebugSession session;

  protected XDebugProcess(XDebugSession session) {
    this.session = session;
  }

  public final XDebugSession getSession() {
    return session;
  }

  public abstract XDebuggerEditorsProvider getEditorsProvider();
}
