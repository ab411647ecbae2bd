// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/ui/content/Content.java
package com.intellij.ui.content;

import com.intellij.openapi.Disposable;
import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;

public interface Content {
  void setDisposer(@NotNull Disposable disposer);

  void setPreferredFocusableComponent(JComponent component);
}
