// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionToolbar.java
package com.intellij.openapi.actionSystem;

import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface ActionToolbar {
  @NotNull JComponent getComponent();

  void setTargetComponent(@Nullable JComponent component);
}
