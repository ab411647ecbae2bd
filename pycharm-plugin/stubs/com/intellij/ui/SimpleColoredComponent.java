// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/SimpleColoredComponent.java
package com.intellij.ui;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.Graphics;
import java.awt.RenderingHints;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.accessibility.Accessible;
import javax.accessibility.AccessibleContext;
import javax.swing.Icon;
import javax.swing.JComponent;
import javax.swing.UIManager;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class SimpleColoredComponent extends JComponent implements Accessible {
  public interface ColoredIterator extends Iterator<String> {
    @NotNull String getFragment();

    @NotNull SimpleTextAttributes getTextAttributes();
  }

  private record Fragment(String text, SimpleTextAttributes attributes) {}

  private static final int PADDING = 2;
  private static final int ICON_GAP = 4;

  private final List<Fragment> fragments = new ArrayList<>();
  private Icon icon;

  public SimpleColoredComponent() {
    setOpaque(true);
  }

  public final void append(@NotNull String fragment, @NotNull SimpleTextAttributes attributes) {
    append(fragment, attributes, fragments.isEmpty());
  }

  public void append(@NotNull String fragment, @NotNull SimpleTextAttributes attributes, boolean isMainText) {
    fragments.add(new Fragment(fragment, attributes));
  }

  public void clear() {
    icon = null;
    fragments.clear();
  }

  public final Icon getIcon() {
    return icon;
  }

  public final void setIcon(@Nullable Icon icon) {
    this.icon = icon;
  }

  public @NotNull ColoredIterator iterator() {
    return new ColoredIterator() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < fragments.size();
      }

      @Override
      public String next() {
        return fragments.get(next++).text;
      }

      @Override
      public String getFragment() {
        return fragments.get(next - 1).text;
      }

      @Override
      public SimpleTextAttributes getTextAttributes() {
        return fragments.get(next - 1).attributes;
      }
    };
  }

  @Override
  public String toString() {
    return String.join("", fragments.stream().map(Fragment::text).toList());
  }

  @Override
  public Dimension getPreferredSize() {
    int width = 2 * PADDING + (icon == null ? 0 : icon.getIconWidth() + ICON_GAP);
    for (Fragment fragment : fragments) width += metrics(fragment).stringWidth(fragment.text);
    int text = getFontMetrics(font()).getHeight();
    return new Dimension(width, 2 * PADDING + (icon == null ? text : Math.max(text, icon.getIconHeight())));
  }

  @Override
  protected void paintComponent(Graphics graphics) {
    Graphics2D canvas = (Graphics2D)graphics.create();
    canvas.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    if (isOpaque() && isBackgroundSet()) {
      canvas.setColor(getBackground());
      canvas.fillRect(0, 0, getWidth(), getHeight());
    }
    int x = PADDING;
    if (icon != null) {
      icon.paintIcon(this, canvas, x, (getHeight() - icon.getIconHeight()) / 2);
      x += icon.getIconWidth() + ICON_GAP;
    }
    for (Fragment fragment : fragments) {
      FontMetrics metrics = metrics(fragment);
      int width = metrics.stringWidth(fragment.text);
      Color color = fragment.attributes.getFgColor();
      if (fragment.attributes.isSearchMatch()) {
        canvas.setColor(new JBColor(0xFFE08A, 0x6E5A20));
        canvas.fillRect(x, 1, width, getHeight() - 2);
      }
      canvas.setFont(metrics.getFont());
      canvas.setColor(color == null ? getForeground() : color);
      canvas.drawString(fragment.text, x, (getHeight() - metrics.getHeight()) / 2 + metrics.getAscent());
      x += width;
    }
    canvas.dispose();
  }

  private Font font() {
    return getFont() == null ? UIManager.getFont("Label.font") : getFont();
  }

  private FontMetrics metrics(Fragment fragment) {
    int style = fragment.attributes.getFontStyle();
    return getFontMetrics(style == font().getStyle() ? font() : font().deriveFont(style));
  }

  @Override
  public AccessibleContext getAccessibleContext() {
    if (accessibleContext == null) accessibleContext = new AccessibleSimpleColoredComponent();
    return accessibleContext;
  }

  protected class AccessibleSimpleColoredComponent extends AccessibleJComponent {
    @Override
    public String getAccessibleName() {
      return SimpleColoredComponent.this.toString();
    }
  }
}
