// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/fileChooser/FileChooserDescriptorFactory.java
package com.intellij.openapi.fileChooser;

public final class FileChooserDescriptorFactory {
  public static FileChooserDescriptor createSingleFileNoJarsDescriptor() {
    return new FileChooserDescriptor();
  }
}
