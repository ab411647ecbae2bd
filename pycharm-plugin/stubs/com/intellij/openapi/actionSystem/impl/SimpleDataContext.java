// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-impl/src/com/intellij/openapi/actionSystem/impl/SimpleDataContext.java
package com.intellij.openapi.actionSystem.impl;

import com.intellij.openapi.actionSystem.DataContext;
import com.intellij.openapi.actionSystem.DataKey;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public final class SimpleDataContext implements DataContext {
  private final Map<String, Object> values;

  private SimpleDataContext(Map<String, Object> values) {
    this.values = values;
  }

  @Override
  public @Nullable Object getData(@NotNull String dataId) {
    return values.get(dataId);
  }

  public static @NotNull Builder builder() {
    return new Builder();
  }

  public static final class Builder {
    private final Map<String, Object> values = new HashMap<>();

    public <T> @NotNull Builder add(@NotNull DataKey<? super T> dataKey, @Nullable T value) {
      values.put(dataKey.getName(), value);
      return this;
    }

    public @NotNull DataContext build() {
      return new SimpleDataContext(values);
    }
  }
}
