// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/notification/NotificationAction.java
package com.intellij.notification;

import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.project.DumbAwareAction;

public abstract class NotificationAction extends DumbAwareAction {
  public static NotificationAction createSimpleExpiring(String text, Runnable action) {
    return new NotificationAction() {
      @Override
      public void actionPerformed(AnActionEvent e) {
        action.run();
      }
    };
  }
}
