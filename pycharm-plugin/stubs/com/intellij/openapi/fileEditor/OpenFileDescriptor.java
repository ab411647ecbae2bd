// API stub, never shipped. Signatures as stated in intellij-community:
// platform/analysis-api/src/com/intellij/openapi/fileEditor/OpenFileDescriptor.java
package com.intellij.openapi.fileEditor;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.pom.Navigatable;

public class OpenFileDescriptor implements Navigatable {
  public OpenFileDescriptor(Project project, VirtualFile file, int logicalLine, int logicalColumn) {}

  @Override
  public void navigate(boolean requestFocus) {}
}
