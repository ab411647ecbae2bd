// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/util/ui/FormBuilder.java
package com.intellij.util.ui;

import javax.swing.BoxLayout;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JPanel;
import org.jetbrains.annotations.NotNull;

public class FormBuilder {
  private final JPanel panel = new JPanel();

  private FormBuilder() {
    panel.setLayout(new BoxLayout(panel, BoxLayout.Y_AXIS));
  }

  public static FormBuilder createFormBuilder() {
    return new FormBuilder();
  }

  public FormBuilder addLabeledComponent(@NotNull String labelText, @NotNull JComponent component) {
    panel.add(new JLabel(labelText));
    return addComponent(component);
  }

  public FormBuilder addComponent(@NotNull JComponent component) {
    panel.add(component);
    return this;
  }

  public FormBuilder addTooltip(String text) {
    return addComponent(new JLabel(text));
  }

  public @NotNull FormBuilder addComponentFillVertically(@NotNull JComponent component, int topInset) {
    return addComponent(component);
  }

  public JPanel getPanel() {
    return panel;
  }
}
