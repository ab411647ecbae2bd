// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValue.java
package com.intellij.xdebugger.frame;

import com.intellij.xdebugger.XExpression;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.concurrency.Promise;

public abstract class XValue extends XValueContainer {
  public abstract void computePresentation(@NotNull XValueNode node, @NotNull XValuePlace place);

  public @NotNull Promise<XExpression> calculateEvaluationExpression() {
    return null;
  }
}
