// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/AnActionEvent.java
package com.intellij.openapi.actionSystem;

import com.intellij.openapi.project.Project;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class AnActionEvent {
  private final DataContext context;
  private final Presentation presentation;

  private AnActionEvent(DataContext context, Presentation presentation) {
    this.context = context;
    this.presentation = presentation;
  }

  public static AnActionEvent createFromDataContext(
      String place, Presentation presentation, DataContext dataContext) {
    return new AnActionEvent(dataContext, presentation == null ? new Presentation() : presentation);
  }

  public final @Nullable Project getProject() {
    return getData(CommonDataKeys.PROJECT);
  }

  public final @NotNull DataContext getDataContext() {
    return context;
  }

  public final <T> @Nullable T getData(@NotNull DataKey<T> key) {
    return key.getData(context);
  }

  public final @NotNull Presentation getPresentation() {
    return presentation;
  }
}
