// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebugSession.java
package com.intellij.xdebugger;

import com.intellij.openapi.Disposable;
import com.intellij.openapi.actionSystem.DataKey;
import com.intellij.openapi.project.Project;
import com.intellij.xdebugger.frame.XStackFrame;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface XDebugSession {
  DataKey<XDebugSession> DATA_KEY = DataKey.create("XDebugSessionTab.XDebugSession");

  @NotNull Project getProject();

  @NotNull XDebugProcess getDebugProcess();

  boolean isSuspended();

  @Nullable XStackFrame getCurrentStackFrame();

  @Nullable XSourcePosition getCurrentPosition();

  @NotNull String getSessionName();

  void addSessionListener(@NotNull XDebugSessionListener listener, @NotNull Disposable parentDisposable);
}
