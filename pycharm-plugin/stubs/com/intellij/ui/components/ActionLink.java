// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/components/ActionLink.kt
package com.intellij.ui.components;

import com.intellij.ui.SimpleTextAttributes;
import java.awt.Insets;
import java.awt.event.ActionListener;
import javax.swing.JButton;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class ActionLink extends JButton {
  public ActionLink(@NotNull String text, @Nullable ActionListener listener) {
    super(text);
    addActionListener(listener);
    setBorder(null);
    setMargin(new Insets(0, 0, 0, 0));
    setContentAreaFilled(false);
    setForeground(SimpleTextAttributes.LINK_PLAIN_ATTRIBUTES.getFgColor());
  }
}
