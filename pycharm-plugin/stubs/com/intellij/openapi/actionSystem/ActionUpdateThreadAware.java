// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionUpdateThreadAware.java
package com.intellij.openapi.actionSystem;

public interface ActionUpdateThreadAware {
  default ActionUpdateThread getActionUpdateThread() {
    return ActionUpdateThread.EDT;
  }
}
