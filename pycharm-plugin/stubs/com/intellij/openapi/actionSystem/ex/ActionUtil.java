// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/ex/ActionUtil.kt
package com.intellij.openapi.actionSystem.ex;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.actionSystem.DataContext;
import java.awt.event.InputEvent;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public final class ActionUtil {
  public static final void invokeAction(
      @NotNull AnAction action,
      @NotNull DataContext dataContext,
      @NotNull String place,
      @Nullable InputEvent inputEvent,
      @Nullable Runnable onDone) {
    AnActionEvent event = AnActionEvent.createFromDataContext(place, null, dataContext);
    action.update(event);
    if (!event.getPresentation().isEnabled()) return;
    action.actionPerformed(event);
    if (onDone != null) onDone.run();
  }

  public static final @NotNull AnAction wrap(@NotNull AnAction action) {
    return action;
  }
}
