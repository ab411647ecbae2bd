// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/ide/CopyPasteManager.java
package com.intellij.openapi.ide;

import com.intellij.openapi.application.ApplicationManager;
import java.awt.datatransfer.Transferable;
import org.jetbrains.annotations.NotNull;

public abstract class CopyPasteManager {
  protected CopyPasteManager() {}

  public static CopyPasteManager getInstance() {
    return ApplicationManager.getApplication().getService(CopyPasteManager.class);
  }

  public abstract void setContents(@NotNull Transferable content);
}
