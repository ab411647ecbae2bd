// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/OnePixelSplitter.java
package com.intellij.ui;

import org.jetbrains.annotations.NotNull;

public class OnePixelSplitter extends JBSplitter {
  public OnePixelSplitter(boolean vertical, @NotNull String proportionKey, float defaultProportion) {
    super(vertical, proportionKey, defaultProportion);
  }
}
