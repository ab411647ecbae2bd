// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/Presentation.java
package com.intellij.openapi.actionSystem;

public final class Presentation implements Cloneable {
  private boolean isEnabled = true;
  private boolean isVisible = true;

  public boolean isEnabled() {
    return isEnabled;
  }

  public void setEnabled(boolean enabled) {
    isEnabled = enabled;
  }

  public boolean isVisible() {
    return isVisible;
  }

  public void setVisible(boolean visible) {
    isVisible = visible;
  }

  public boolean isEnabledAndVisible() {
    return isEnabled && isVisible;
  }

  public void setEnabledAndVisible(boolean enabled) {
    isEnabled = enabled;
    isVisible = enabled;
  }

  @Override
  public Presentation clone() {
    Presentation copy = new Presentation();
    copy.isEnabled = isEnabled;
    copy.isVisible = isVisible;
    return copy;
  }
}
