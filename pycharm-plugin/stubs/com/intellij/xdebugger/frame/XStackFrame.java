// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XStackFrame.java
package com.intellij.xdebugger.frame;

import com.intellij.xdebugger.evaluation.XDebuggerEvaluator;
import org.jetbrains.annotations.Nullable;

public abstract class XStackFrame extends XValueContainer {
  public @Nullable XDebuggerEvaluator getEvaluator() {
    return null;
  }
}
