// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/SearchTextField.java
package com.intellij.ui;

import com.intellij.ui.components.JBTextField;
import java.awt.BorderLayout;
import javax.swing.JPanel;
import javax.swing.event.DocumentListener;

public class SearchTextField extends JPanel {
  private final JBTextField field = new JBTextField();

  public SearchTextField(boolean historyPopupEnabled) {
    super(new BorderLayout());
    add(field);
  }

  protected boolean toClearTextOnEscape() {
    return true;
  }

  public void addDocumentListener(DocumentListener listener) {
    field.getDocument().addDocumentListener(listener);
  }

  public String getText() {
    return field.getText();
  }

  public void setText(String aText) {
    field.setText(aText);
  }

  public JBTextField getTextEditor() {
    return field;
  }
}
