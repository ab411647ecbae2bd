// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/project/DumbAwareToggleAction.java
package com.intellij.openapi.project;

import com.intellij.openapi.actionSystem.ToggleAction;

public abstract class DumbAwareToggleAction extends ToggleAction implements DumbAware {
  protected DumbAwareToggleAction() {}
}
