// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/NotificationAction.java
package com.intellij.notification;

import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.project.DumbAwareAction;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class NotificationAction extends DumbAwareAction {
  public NotificationAction(@Nullable String text) {}

  public static @NotNull NotificationAction createSimpleExpiring(
      @NotNull String text, @NotNull Runnable action) {
    return new NotificationAction(text) {
      @Override
      public void actionPerformed(@NotNull AnActionEvent e) {
        action.run();
      }
    };
  }
}
