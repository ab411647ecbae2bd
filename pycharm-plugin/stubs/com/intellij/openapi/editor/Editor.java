// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/Editor.java
package com.intellij.openapi.editor;

public interface Editor {
  Document getDocument();

  SelectionModel getSelectionModel();

  CaretModel getCaretModel();
}
