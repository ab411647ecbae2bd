// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/projectRoots/Sdk.java
package com.intellij.openapi.projectRoots;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface Sdk {
  @NotNull String getName();

  @Nullable String getHomePath();
}
