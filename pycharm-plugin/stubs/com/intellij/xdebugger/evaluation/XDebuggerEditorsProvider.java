// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/evaluation/XDebuggerEditorsProvider.java
package com.intellij.xdebugger.evaluation;

import com.intellij.openapi.fileTypes.FileType;
import org.jetbrains.annotations.NotNull;

public abstract class XDebuggerEditorsProvider {
  public abstract @NotNull FileType getFileType();
}
