// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/wm/ToolWindow.java
package com.intellij.openapi.wm;

import com.intellij.openapi.Disposable;
import com.intellij.ui.content.ContentManager;

public interface ToolWindow {
  void activate(Runnable runnable);

  boolean isVisible();

  void show(Runnable runnable);

  ContentManager getContentManager();

  Disposable getDisposable();
}
