// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/DefaultActionGroup.java
package com.intellij.openapi.actionSystem;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class DefaultActionGroup extends ActionGroup {
  private final List<AnAction> children = new ArrayList<>();

  public final void add(@NotNull AnAction action) {
    children.add(action);
  }

  public final void addSeparator() {}

  @Override
  public @NotNull AnAction[] getChildren(@Nullable AnActionEvent e) {
    return children.toArray(new AnAction[0]);
  }
}
