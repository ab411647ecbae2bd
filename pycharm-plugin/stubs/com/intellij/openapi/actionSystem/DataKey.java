// API stub, never shipped. Signatures as stated in intellij-community:
// platform/core-ui/src/openapi/actionSystem/DataKey.kt
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public final class DataKey<T> {
  private final String name;

  private DataKey(String name) {
    this.name = name;
  }

  public static final <T> @NotNull DataKey<T> create(@NotNull String name) {
    return new DataKey<>(name);
  }

  public final @NotNull String getName() {
    return name;
  }

  @SuppressWarnings("unchecked")
  public final @Nullable T getData(@NotNull DataContext dataContext) {
    return (T) dataContext.getData(name);
  }
}
