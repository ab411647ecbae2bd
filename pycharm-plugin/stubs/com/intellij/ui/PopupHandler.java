// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/PopupHandler.java
package com.intellij.ui;

import com.intellij.openapi.actionSystem.ActionGroup;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseListener;
import javax.swing.JComponent;

public abstract class PopupHandler extends MouseAdapter {
  public static MouseListener installPopupMenu(JComponent component, ActionGroup group, String place) {
    return null;
  }
}
