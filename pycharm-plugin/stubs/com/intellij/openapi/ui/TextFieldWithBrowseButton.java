// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/ui/TextFieldWithBrowseButton.java
package com.intellij.openapi.ui;

import com.intellij.openapi.fileChooser.FileChooserDescriptor;
import com.intellij.openapi.project.Project;
import java.awt.BorderLayout;
import javax.swing.JButton;
import javax.swing.JPanel;
import javax.swing.JTextField;

public class TextFieldWithBrowseButton extends JPanel {
  private final JTextField field = new JTextField(10);

  public TextFieldWithBrowseButton() {
    super(new BorderLayout());
    add(field, BorderLayout.CENTER);
    add(new JButton("..."), BorderLayout.EAST);
  }

  public void addBrowseFolderListener(Project project, FileChooserDescriptor fileChooserDescriptor) {}

  public JTextField getTextField() {
    return field;
  }

  public String getText() {
    return field.getText();
  }

  public void setText(String text) {
    field.setText(text);
  }
}
