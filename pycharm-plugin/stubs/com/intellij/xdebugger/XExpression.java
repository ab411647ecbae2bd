// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XExpression.java
package com.intellij.xdebugger;

import org.jetbrains.annotations.NotNull;

public interface XExpression {
  @NotNull String getExpression();
}
