// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/wm/ToolWindowFactory.kt
package com.intellij.openapi.wm;

import com.intellij.openapi.project.PossiblyDumbAware;
import com.intellij.openapi.project.Project;
import org.jetbrains.annotations.NotNull;

public interface ToolWindowFactory extends PossiblyDumbAware {
  void createToolWindowContent(@NotNull Project project, @NotNull ToolWindow toolWindow);
}
