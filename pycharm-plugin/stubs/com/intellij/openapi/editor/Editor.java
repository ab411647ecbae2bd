// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/Editor.java
package com.intellij.openapi.editor;

import org.jetbrains.annotations.NotNull;

public interface Editor {
  @NotNull Document getDocument();

  @NotNull SelectionModel getSelectionModel();

  @NotNull CaretModel getCaretModel();
}
