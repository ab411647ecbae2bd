// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/NotificationType.java
package com.intellij.notification;

public enum NotificationType {
  IDE_UPDATE,
  INFORMATION,
  WARNING,
  ERROR
}
