// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/NotificationGroup.kt
package com.intellij.notification;

public final class NotificationGroup {
  public Notification createNotification(String title, String content, NotificationType type) {
    return new Notification();
  }
}
