// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/ex/ActionUtil.kt
package com.intellij.openapi.actionSystem.ex;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.actionSystem.DataContext;
import java.awt.event.InputEvent;

public final class ActionUtil {
  public static void invokeAction(
      AnAction action, DataContext dataContext, String place, InputEvent inputEvent, Runnable onDone) {
    AnActionEvent event = AnActionEvent.createFromDataContext(place, null, dataContext);
    action.update(event);
    if (!event.getPresentation().isEnabled()) return;
    action.actionPerformed(event);
    if (onDone != null) onDone.run();
  }

  public static AnAction wrap(AnAction action) {
    return action;
  }
}
