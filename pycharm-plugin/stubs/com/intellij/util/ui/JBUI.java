// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/util/ui/JBUI.java
package com.intellij.util.ui;

import org.jetbrains.annotations.NotNull;

public final class JBUI {
  public static int scale(int i) {
    return i;
  }

  public static final class Borders {
    public static @NotNull JBEmptyBorder empty(int topAndBottom, int leftAndRight) {
      return new JBEmptyBorder(topAndBottom, leftAndRight, topAndBottom, leftAndRight);
    }
  }
}
