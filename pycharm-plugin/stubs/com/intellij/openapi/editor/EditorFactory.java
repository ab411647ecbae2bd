// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/EditorFactory.java
package com.intellij.openapi.editor;

import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.project.Project;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class EditorFactory {
  public static EditorFactory getInstance() {
    return ApplicationManager.getApplication().getService(EditorFactory.class);
  }

  public abstract @NotNull Document createDocument(@NotNull CharSequence text);

  public abstract Editor createEditor(@NotNull Document document, @Nullable Project project);

  public abstract void releaseEditor(@NotNull Editor editor);
}
