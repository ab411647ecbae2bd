// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/ex/ActionUtil.kt
package com.intellij.openapi.actionSystem.ex;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.actionSystem.DataContext;
import java.awt.event.InputEvent;

public final class ActionUtil {
  public static void invokeAction(
      AnAction action, DataContext dataContext, String place, InputEvent inputEvent, Runnable onDone) {}

  public static AnAction wrap(AnAction action) {
    return action;
  }
}
