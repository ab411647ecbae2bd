// API stub, never shipped. Signatures as stated in intellij-community:
// platform/analysis-api/src/com/intellij/openapi/fileEditor/FileEditorManager.java
package com.intellij.openapi.fileEditor;

import com.intellij.openapi.editor.Editor;
import com.intellij.openapi.project.Project;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class FileEditorManager {
  public static FileEditorManager getInstance(@NotNull Project project) {
    return project.getService(FileEditorManager.class);
  }

  public abstract @Nullable Editor getSelectedTextEditor();
}
