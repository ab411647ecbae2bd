// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionUpdateThreadAware.java
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.NotNull;

public interface ActionUpdateThreadAware {
  default @NotNull ActionUpdateThread getActionUpdateThread() {
    return ActionUpdateThread.EDT;
  }
}
