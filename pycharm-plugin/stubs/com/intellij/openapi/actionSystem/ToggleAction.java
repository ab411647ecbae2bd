// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/ToggleAction.java
package com.intellij.openapi.actionSystem;

public abstract class ToggleAction extends AnAction {
  @Override
  public final void actionPerformed(AnActionEvent e) {
    setSelected(e, !isSelected(e));
  }

  public abstract boolean isSelected(AnActionEvent e);

  public abstract void setSelected(AnActionEvent e, boolean state);
}
