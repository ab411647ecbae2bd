// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionManager.java
package com.intellij.openapi.actionSystem;

import com.intellij.openapi.application.ApplicationManager;

public abstract class ActionManager {
  public static ActionManager getInstance() {
    return ApplicationManager.getApplication().getService(ActionManager.class);
  }

  public abstract ActionToolbar createActionToolbar(String place, ActionGroup group, boolean horizontal);

  public abstract AnAction getAction(String actionId);
}
