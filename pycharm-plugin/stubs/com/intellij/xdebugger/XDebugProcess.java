// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebugProcess.java
package com.intellij.xdebugger;

import com.intellij.xdebugger.evaluation.XDebuggerEditorsProvider;
import org.jetbrains.annotations.NotNull;

public abstract class XDebugProcess {
  private final XDebugSession session;

  protected XDebugProcess(@NotNull XDebugSession session) {
    this.session = session;
  }

  public final @NotNull XDebugSession getSession() {
    return session;
  }

  public abstract @NotNull XDebuggerEditorsProvider getEditorsProvider();
}
