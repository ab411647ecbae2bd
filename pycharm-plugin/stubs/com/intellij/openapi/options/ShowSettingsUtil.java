// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/options/ShowSettingsUtil.java
package com.intellij.openapi.options;

import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.project.Project;

public abstract class ShowSettingsUtil {
  public static ShowSettingsUtil getInstance() {
    return ApplicationManager.getApplication().getService(ShowSettingsUtil.class);
  }

  public abstract <T extends Configurable> void showSettingsDialog(Project project, Class<T> toSelect);
}
