// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValueNode.java
package com.intellij.xdebugger.frame;

import com.intellij.xdebugger.Obsolescent;
import com.intellij.xdebugger.frame.presentation.XValuePresentation;
import javax.swing.Icon;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface XValueNode extends Obsolescent {
  void setPresentation(@Nullable Icon icon, @Nullable String type, @NotNull String value, boolean hasChildren);

  void setPresentation(@Nullable Icon icon, @NotNull XValuePresentation presentation, boolean hasChildren);

  void setFullValueEvaluator(@NotNull XFullValueEvaluator fullValueEvaluator);
}
