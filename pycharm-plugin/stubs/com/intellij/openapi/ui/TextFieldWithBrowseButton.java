// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/ui/TextFieldWithBrowseButton.java
package com.intellij.openapi.ui;

import com.intellij.openapi.fileChooser.FileChooserDescriptor;
import com.intellij.openapi.project.Project;
import java.awt.BorderLayout;
import javax.swing.JButton;
import javax.swing.JPanel;
import javax.swing.JTextField;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class TextFieldWithBrowseButton extends JPanel {
  private final JTextField field = new JTextField(10);

  public TextFieldWithBrowseButton() {
    super(new BorderLayout());
    add(field, BorderLayout.CENTER);
    add(new JButton("..."), BorderLayout.EAST);
  }

  public void addBrowseFolderListener(
      @Nullable Project project, @NotNull FileChooserDescriptor fileChooserDescriptor) {}

  public @NotNull JTextField getTextField() {
    return field;
  }

  public @NotNull String getText() {
    return field.getText();
  }

  public void setText(@Nullable String text) {
    field.setText(text);
  }
}
