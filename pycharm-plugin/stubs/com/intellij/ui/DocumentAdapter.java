// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/ui/DocumentAdapter.java
package com.intellij.ui;

import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import org.jetbrains.annotations.NotNull;

public abstract class DocumentAdapter implements DocumentListener {
  @Override
  public void insertUpdate(DocumentEvent e) {
    textChanged(e);
  }

  @Override
  public void removeUpdate(DocumentEvent e) {
    textChanged(e);
  }

  @Override
  public void changedUpdate(DocumentEvent e) {
    textChanged(e);
  }

  protected abstract void textChanged(@NotNull DocumentEvent e);
}
