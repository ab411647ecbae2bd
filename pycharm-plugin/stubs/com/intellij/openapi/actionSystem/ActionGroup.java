// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionGroup.java
package com.intellij.openapi.actionSystem;

public abstract class ActionGroup extends AnAction {
  @Override
  public void actionPerformed(AnActionEvent e) {}

  public abstract AnAction[] getChildren(AnActionEvent e);
}
