// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/ide/CopyPasteManager.java
package com.intellij.openapi.ide;

import com.intellij.openapi.application.ApplicationManager;
import java.awt.datatransfer.Transferable;

public abstract class CopyPasteManager {
  public static CopyPasteManager getInstance() {
    return ApplicationManager.getApplication().getService(CopyPasteManager.class);
  }

  public abstract void setContents(Transferable content);
}
