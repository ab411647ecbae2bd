// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-impl/src/com/intellij/openapi/actionSystem/impl/SimpleDataContext.java
package com.intellij.openapi.actionSystem.impl;

import com.intellij.openapi.actionSystem.DataContext;
import com.intellij.openapi.actionSystem.DataKey;
import java.util.HashMap;
import java.util.Map;

public final class SimpleDataContext implements DataContext {
  private final Map<String, Object> values;

  private SimpleDataContext(Map<String, Object> values) {
    this.values = values;
  }

  @Override
  public Object getData(String dataId) {
    return values.get(dataId);
  }

  public static Builder builder() {
    return new Builder();
  }

  public static final class Builder {
    private final Map<String, Object> values = new HashMap<>();

    public <T> Builder add(DataKey<? super T> dataKey, T value) {
      values.put(dataKey.getName(), value);
      return this;
    }

    public DataContext build() {
      return new SimpleDataContext(values);
    }
  }
}
