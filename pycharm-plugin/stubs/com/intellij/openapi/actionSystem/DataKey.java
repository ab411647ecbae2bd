// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/DataKey.java
package com.intellij.openapi.actionSystem;

import org.jetbrains.annotations.Nullable;

public final class DataKey<T> {
  private final String name;

  private DataKey(String name) {
    this.name = name;
  }

  public static <T> DataKey<T> create(String name) {
    return new DataKey<>(name);
  }

  public String getName() {
    return name;
  }

  @SuppressWarnings("unchecked")
  public @Nullable T getData(DataContext dataContext) {
    return (T) dataContext.getData(name);
  }
}
