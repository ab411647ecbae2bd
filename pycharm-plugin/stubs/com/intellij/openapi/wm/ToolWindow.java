// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/wm/ToolWindow.java
package com.intellij.openapi.wm;

import com.intellij.openapi.Disposable;
import com.intellij.ui.content.ContentManager;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface ToolWindow {
  default void activate(@Nullable Runnable runnable) {}

  boolean isVisible();

  void show(@Nullable Runnable runnable);

  @NotNull ContentManager getContentManager();

  @NotNull Disposable getDisposable();
}
