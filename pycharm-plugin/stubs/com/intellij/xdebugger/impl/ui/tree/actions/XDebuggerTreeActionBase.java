// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-impl/src/com/intellij/xdebugger/impl/ui/tree/actions/XDebuggerTreeActionBase.java
package com.intellij.xdebugger.impl.ui.tree.actions;

import com.intellij.openapi.actionSystem.DataContext;
import com.intellij.xdebugger.frame.XValue;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class XDebuggerTreeActionBase {
  public static @Nullable XValue getSelectedValue(@NotNull DataContext dataContext) {
    return null;
  }
}
