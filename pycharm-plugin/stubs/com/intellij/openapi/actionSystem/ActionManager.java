// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionManager.java
package com.intellij.openapi.actionSystem;

import com.intellij.openapi.application.ApplicationManager;
import org.jetbrains.annotations.NotNull;

public abstract class ActionManager {
  protected ActionManager() {}

  public static ActionManager getInstance() {
    return ApplicationManager.getApplication().getService(ActionManager.class);
  }

  public abstract @NotNull ActionToolbar createActionToolbar(
      @NotNull String place, @NotNull ActionGroup group, boolean horizontal);

  public abstract AnAction getAction(@NotNull String actionId);
}
