// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebugSession.java
package com.intellij.xdebugger;

import com.intellij.openapi.Disposable;
import com.intellij.openapi.actionSystem.DataKey;
import com.intellij.openapi.project.Project;
import com.intellij.xdebugger.frame.XStackFrame;

public interface XDebugSession {
  DataKey<XDebugSession> DATA_KEY = DataKey.create("XDebugSessionTab.XDebugSession");

  Project getProject();

  XDebugProcess getDebugProcess();

  boolean isSuspended();

  XStackFrame getCurrentStackFrame();

  XSourcePosition getCurrentPosition();

  String getSessionName();

  void addSessionListener(XDebugSessionListener listener, Disposable parentDisposable);
}
