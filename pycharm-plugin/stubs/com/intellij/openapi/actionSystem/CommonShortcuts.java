// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/actionSystem/CommonShortcuts.java
package com.intellij.openapi.actionSystem;

public final class CommonShortcuts {
  public static ShortcutSet getCopy() {
    return null;
  }

  public static ShortcutSet getDelete() {
    return null;
  }

  public static ShortcutSet getEditSource() {
    return null;
  }
}
