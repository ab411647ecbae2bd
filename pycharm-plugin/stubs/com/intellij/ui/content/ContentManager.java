// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/ui/content/ContentManager.java
package com.intellij.ui.content;

import org.jetbrains.annotations.NotNull;

public interface ContentManager {
  void addContent(@NotNull Content content);
}
