// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/OnePixelSplitter.java
package com.intellij.ui;

public class OnePixelSplitter extends JBSplitter {
  public OnePixelSplitter(boolean vertical, String proportionKey, float defaultProportion) {
    super(vertical, proportionKey, defaultProportion);
  }
}
