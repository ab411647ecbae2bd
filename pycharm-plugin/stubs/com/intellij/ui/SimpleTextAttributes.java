// API stub, never shipped. Signatures as stated in intellij-community:
// platform/core-ui/src/ui/SimpleTextAttributes.java
package com.intellij.ui;

import java.awt.Color;
import java.awt.Font;

public final class SimpleTextAttributes {
  public static final int STYLE_PLAIN = Font.PLAIN;
  public static final int STYLE_BOLD = Font.BOLD;
  public static final int STYLE_ITALIC = Font.ITALIC;
  public static final int STYLE_SEARCH_MATCH = 64;

  public static final SimpleTextAttributes LINK_PLAIN_ATTRIBUTES =
    new SimpleTextAttributes(STYLE_PLAIN, new JBColor(0x315FBD, 0x6B9BFA));

  private final int style;
  private final Color fgColor;

  public SimpleTextAttributes(int style, Color fgColor) {
    this.style = style;
    this.fgColor = fgColor;
  }

  public Color getFgColor() {
    return fgColor;
  }

  public int getStyle() {
    return style;
  }

  public boolean isSearchMatch() {
    return (style & STYLE_SEARCH_MATCH) != 0;
  }

  public int getFontStyle() {
    return style & (STYLE_BOLD | STYLE_ITALIC);
  }
}
