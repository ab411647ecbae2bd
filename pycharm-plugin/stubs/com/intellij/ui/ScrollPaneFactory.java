// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/ScrollPaneFactory.java
package com.intellij.ui;

import java.awt.Component;
import javax.swing.JScrollPane;
import org.jetbrains.annotations.NotNull;

public final class ScrollPaneFactory {
  public static @NotNull JScrollPane createScrollPane(Component view, boolean withoutBorder) {
    JScrollPane pane = new JScrollPane(view);
    if (withoutBorder) pane.setBorder(null);
    return pane;
  }
}
