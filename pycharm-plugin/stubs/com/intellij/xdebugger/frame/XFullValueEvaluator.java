// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XFullValueEvaluator.java
package com.intellij.xdebugger.frame;

import com.intellij.xdebugger.Obsolescent;
import java.awt.Font;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class XFullValueEvaluator {
  protected XFullValueEvaluator() {}

  protected XFullValueEvaluator(@NotNull String linkText) {}

  public abstract void startEvaluation(@NotNull XFullValueEvaluationCallback callback);

  public interface XFullValueEvaluationCallback extends Obsolescent, XValueCallback {
    default void evaluated(@NotNull String fullValue) {
      evaluated(fullValue, null);
    }

    default void evaluated(@NotNull String fullValue, @Nullable Font font) {}
  }
}
