// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/openapi/ui/Splitter.java
package com.intellij.openapi.ui;

import com.intellij.ui.JBColor;
import java.awt.Graphics;
import javax.swing.JComponent;
import javax.swing.JPanel;
import org.jetbrains.annotations.Nullable;

public class Splitter extends JPanel {
  private boolean isVertical;
  private final float proportion;
  private JComponent first;
  private JComponent second;

  public Splitter(boolean vertical, float proportion) {
    super(null);
    isVertical = vertical;
    this.proportion = proportion;
  }

  public boolean getOrientation() {
    return isVertical;
  }

  public void setOrientation(boolean verticalSplit) {
    isVertical = verticalSplit;
    revalidate();
  }

  public JComponent getFirstComponent() {
    return first;
  }

  public void setFirstComponent(@Nullable JComponent component) {
    first = component;
    add(component);
  }

  public JComponent getSecondComponent() {
    return second;
  }

  public void setSecondComponent(@Nullable JComponent component) {
    second = component;
    add(component);
  }

  @Override
  public void doLayout() {
    int width = getWidth();
    int height = getHeight();
    int cut = cut();
    if (!second.isVisible()) {
      first.setBounds(0, 0, width, height);
      return;
    }
    first.setBounds(0, 0, isVertical ? width : cut, isVertical ? cut : height);
    if (isVertical) second.setBounds(0, cut + 1, width, height - cut - 1);
    else second.setBounds(cut + 1, 0, width - cut - 1, height);
  }

  @Override
  protected void paintComponent(Graphics graphics) {
    super.paintComponent(graphics);
    if (!second.isVisible()) return;
    graphics.setColor(new JBColor(0xEBECF0, 0x1E1F22));
    if (isVertical) graphics.fillRect(0, cut(), getWidth(), 1);
    else graphics.fillRect(cut(), 0, 1, getHeight());
  }

  private int cut() {
    return (int)((isVertical ? getHeight() : getWidth()) * proportion);
  }
}
