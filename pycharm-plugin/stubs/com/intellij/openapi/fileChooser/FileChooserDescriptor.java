// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/fileChooser/FileChooserDescriptor.java
package com.intellij.openapi.fileChooser;

public class FileChooserDescriptor {
  public FileChooserDescriptor withTitle(String title) {
    return this;
  }
}
