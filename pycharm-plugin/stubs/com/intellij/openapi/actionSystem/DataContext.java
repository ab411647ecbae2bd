// API stub, never shipped. Signatures as stated in intellij-community:
// platform/core-ui/src/openapi/actionSystem/DataContext.java
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface DataContext {
  @Nullable Object getData(@NotNull String dataId);
}
