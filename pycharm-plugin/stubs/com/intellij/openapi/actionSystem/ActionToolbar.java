// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ActionToolbar.java
package com.intellij.openapi.actionSystem;

import javax.swing.JComponent;

public interface ActionToolbar {
  JComponent getComponent();

  void setTargetComponent(JComponent component);
}
