// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/Notification.java
package com.intellij.notification;

import com.intellij.openapi.project.Project;

public class Notification {
  public void notify(Project project) {}
}
