// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/ui/JBColor.java
package com.intellij.ui;

import java.awt.Color;

public class JBColor extends Color {
  private static boolean isDark;

  private final Color dark;

  public JBColor(int rgb, int darkRGB) {
    super(rgb);
    dark = new Color(darkRGB);
  }

  public static void setDark(boolean dark) {
    isDark = dark;
  }

  public static boolean isBright() {
    return !isDark;
  }

  @Override
  public int getRGB() {
    return isDark ? dark.getRGB() : super.getRGB();
  }

  // Those of Color read the one value that it was made of.
  @Override
  public int getRed() {
    return getRGB() >> 16 & 0xFF;
  }

  @Override
  public int getGreen() {
    return getRGB() >> 8 & 0xFF;
  }

  @Override
  public int getBlue() {
    return getRGB() & 0xFF;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
