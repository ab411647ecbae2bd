// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/JBSplitter.java
package com.intellij.ui;

import com.intellij.openapi.ui.Splitter;
import org.jetbrains.annotations.NotNull;

public class JBSplitter extends Splitter {
  public JBSplitter(boolean vertical, @NotNull String proportionKey, float defaultProportion) {
    super(vertical, defaultProportion);
  }
}
