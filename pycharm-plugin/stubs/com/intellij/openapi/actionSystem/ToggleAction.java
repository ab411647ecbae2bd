// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/ToggleAction.java
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.NotNull;

public abstract class ToggleAction extends AnAction {
  @Override
  public void actionPerformed(@NotNull AnActionEvent e) {
    setSelected(e, !isSelected(e));
  }

  public abstract boolean isSelected(@NotNull AnActionEvent e);

  public abstract void setSelected(@NotNull AnActionEvent e, boolean state);
}
