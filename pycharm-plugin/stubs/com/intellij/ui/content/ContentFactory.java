// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/ui/content/ContentFactory.java
package com.intellij.ui.content;

import com.intellij.openapi.application.ApplicationManager;
import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public interface ContentFactory {
  static ContentFactory getInstance() {
    return ApplicationManager.getApplication().getService(ContentFactory.class);
  }

  @NotNull Content createContent(
      @Nullable JComponent component, @Nullable String displayName, boolean isLockable);
}
