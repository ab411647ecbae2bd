// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/CaretModel.java
package com.intellij.openapi.editor;

public interface CaretModel {
  default int getOffset() {
    return 0;
  }
}
