// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/editor/EditorFactory.java
package com.intellij.openapi.editor;

import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.project.Project;

public abstract class EditorFactory {
  public static EditorFactory getInstance() {
    return ApplicationManager.getApplication().getService(EditorFactory.class);
  }

  public abstract Document createDocument(CharSequence text);

  public abstract Editor createEditor(Document document, Project project);

  public abstract void releaseEditor(Editor editor);
}
