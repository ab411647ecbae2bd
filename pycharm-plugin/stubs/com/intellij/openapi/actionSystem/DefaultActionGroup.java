// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/DefaultActionGroup.java
package com.intellij.openapi.actionSystem;

import java.util.ArrayList;
import java.util.List;

public class DefaultActionGroup extends ActionGroup {
  private final List<AnAction> children = new ArrayList<>();

  public final void add(AnAction action) {
    children.add(action);
  }

  public final void addSeparator() {}

  @Override
  public AnAction[] getChildren(AnActionEvent e) {
    return children.toArray(new AnAction[0]);
  }
}
