// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/ui/Messages.java
package com.intellij.openapi.ui;

import com.intellij.openapi.project.Project;
import javax.swing.Icon;
import org.jetbrains.annotations.Nullable;

public class Messages {
  public static @Nullable String showInputDialog(
      @Nullable Project project,
      String message,
      String title,
      @Nullable Icon icon,
      @Nullable String initialValue,
      @Nullable InputValidator validator) {
    return null;
  }
}
