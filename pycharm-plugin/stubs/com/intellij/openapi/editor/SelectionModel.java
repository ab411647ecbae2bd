// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/SelectionModel.java
package com.intellij.openapi.editor;

import org.jetbrains.annotations.Nullable;

public interface SelectionModel {
  default @Nullable String getSelectedText() {
    return null;
  }

  default void setSelection(int startOffset, int endOffset) {}
}
