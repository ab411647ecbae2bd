// API stub, never shipped. Signatures as stated in intellij-community:
// platform/analysis-api/src/com/intellij/openapi/vfs/LocalFileSystem.java
package com.intellij.openapi.vfs;

import java.nio.file.Path;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class LocalFileSystem extends VirtualFileSystem {
  public static @NotNull LocalFileSystem getInstance() {
    return (LocalFileSystem) VirtualFileManager.getInstance().getFileSystem("file");
  }

  public @Nullable VirtualFile refreshAndFindFileByNioFile(@NotNull Path file) {
    return null;
  }
}
