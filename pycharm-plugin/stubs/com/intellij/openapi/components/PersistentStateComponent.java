// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/components/PersistentStateComponent.java
package com.intellij.openapi.components;

public interface PersistentStateComponent<T> {
  T getState();

  void loadState(T state);
}
