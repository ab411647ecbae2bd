// API stub, never shipped. Signatures as stated in intellij-community:
// platform/analysis-api/src/com/intellij/openapi/fileEditor/OpenFileDescriptor.java
package com.intellij.openapi.fileEditor;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.pom.Navigatable;
import org.jetbrains.annotations.NotNull;

public class OpenFileDescriptor implements Navigatable {
  public OpenFileDescriptor(
      @NotNull Project project, @NotNull VirtualFile file, int logicalLine, int logicalColumn) {}

  @Override
  public void navigate(boolean requestFocus) {}
}
