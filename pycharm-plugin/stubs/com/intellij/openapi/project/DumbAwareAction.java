// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/project/DumbAwareAction.java
package com.intellij.openapi.project;

import com.intellij.openapi.actionSystem.AnAction;

public abstract class DumbAwareAction extends AnAction implements DumbAware {
  protected DumbAwareAction() {}
}
