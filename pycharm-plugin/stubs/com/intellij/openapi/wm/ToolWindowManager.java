// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/wm/ToolWindowManager.kt
package com.intellij.openapi.wm;

import com.intellij.openapi.project.Project;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class ToolWindowManager {
  public static final @NotNull ToolWindowManager getInstance(@NotNull Project project) {
    return project.getService(ToolWindowManager.class);
  }

  public abstract @Nullable ToolWindow getToolWindow(@Nullable String id);
}
