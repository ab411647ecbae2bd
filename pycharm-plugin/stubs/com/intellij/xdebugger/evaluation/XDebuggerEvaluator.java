// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/evaluation/XDebuggerEvaluator.java
package com.intellij.xdebugger.evaluation;

import com.intellij.xdebugger.XSourcePosition;
import com.intellij.xdebugger.frame.XValue;
import com.intellij.xdebugger.frame.XValueCallback;

public abstract class XDebuggerEvaluator {
  public abstract void evaluate(
      String expression, XEvaluationCallback callback, XSourcePosition expressionPosition);

  public interface XEvaluationCallback extends XValueCallback {
    void evaluated(XValue result);
  }
}
