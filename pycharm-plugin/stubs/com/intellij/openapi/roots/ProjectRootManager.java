// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/roots/ProjectRootManager.java
package com.intellij.openapi.roots;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.projectRoots.Sdk;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class ProjectRootManager {
  protected ProjectRootManager() {}

  public static ProjectRootManager getInstance(@NotNull Project project) {
    return project.getService(ProjectRootManager.class);
  }

  public abstract @Nullable Sdk getProjectSdk();
}
