// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/util/ui/JBEmptyBorder.java
package com.intellij.util.ui;

import javax.swing.border.EmptyBorder;

public class JBEmptyBorder extends EmptyBorder {
  public JBEmptyBorder(int top, int left, int bottom, int right) {
    super(top, left, bottom, right);
  }
}
