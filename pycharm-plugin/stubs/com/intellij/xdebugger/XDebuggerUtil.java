// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebuggerUtil.java
package com.intellij.xdebugger;

import com.intellij.openapi.actionSystem.DataContext;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.xdebugger.frame.XValueContainer;
import org.jetbrains.annotations.Nullable;

public abstract class XDebuggerUtil {
  public static XDebuggerUtil getInstance() {
    return ApplicationManager.getApplication().getService(XDebuggerUtil.class);
  }

  public abstract @Nullable XValueContainer getValueContainer(DataContext dataContext);
}
