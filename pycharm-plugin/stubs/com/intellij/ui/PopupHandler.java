// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/PopupHandler.java
package com.intellij.ui;

import com.intellij.openapi.actionSystem.ActionGroup;
import java.awt.Component;
import java.awt.event.MouseAdapter;
import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;

public abstract class PopupHandler extends MouseAdapter {
  public abstract void invokePopup(Component comp, int x, int y);

  public static @NotNull PopupHandler installPopupMenu(
      @NotNull JComponent component, @NotNull ActionGroup group, @NotNull String place) {
    PopupHandler handler =
        new PopupHandler() {
          @Override
          public void invokePopup(Component comp, int x, int y) {}
        };
    component.addMouseListener(handler);
    return handler;
  }
}
