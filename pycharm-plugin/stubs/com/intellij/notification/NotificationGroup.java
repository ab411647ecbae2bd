// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/NotificationGroup.kt
package com.intellij.notification;

import org.jetbrains.annotations.NotNull;

public final class NotificationGroup {
  public final @NotNull Notification createNotification(
      @NotNull String title, @NotNull String content, @NotNull NotificationType type) {
    return new Notification();
  }
}
