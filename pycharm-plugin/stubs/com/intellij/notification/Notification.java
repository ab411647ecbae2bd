// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/Notification.java
package com.intellij.notification;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.project.Project;

public class Notification {
  public Notification addAction(AnAction action) {
    return this;
  }

  public void notify(Project project) {}
}
