// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/AnAction.java
package com.intellij.openapi.actionSystem;

import com.intellij.openapi.Disposable;
import com.intellij.openapi.project.PossiblyDumbAware;
import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class AnAction implements PossiblyDumbAware, ActionUpdateThreadAware {
  private final Presentation template = new Presentation();

  public AnAction() {}

  public final @NotNull Presentation getTemplatePresentation() {
    return template;
  }

  public void update(@NotNull AnActionEvent e) {}

  public abstract void actionPerformed(@NotNull AnActionEvent e);

  public final void registerCustomShortcutSet(
      @NotNull ShortcutSet shortcutSet,
      @Nullable JComponent component,
      @Nullable Disposable parentDisposable) {}
}
