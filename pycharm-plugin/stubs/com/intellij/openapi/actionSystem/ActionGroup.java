// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionGroup.java
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class ActionGroup extends AnAction {
  @Override
  public void actionPerformed(@NotNull AnActionEvent e) {}

  public abstract @NotNull AnAction[] getChildren(@Nullable AnActionEvent e);
}
