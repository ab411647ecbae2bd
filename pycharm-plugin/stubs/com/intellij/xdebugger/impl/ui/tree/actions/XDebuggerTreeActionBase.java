// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-impl/src/com/intellij/xdebugger/impl/ui/tree/actions/XDebuggerTreeActionBase.java
package com.intellij.xdebugger.impl.ui.tree.actions;

import com.intellij.openapi.actionSystem.DataContext;
import com.intellij.xdebugger.frame.XValue;

public abstract class XDebuggerTreeActionBase {
  public static XValue getSelectedValue(DataContext dataContext) {
    return null;
  }
}
