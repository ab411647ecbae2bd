// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-impl/src/com/intellij/ide/actions/ShowLogAction.java
package com.intellij.ide.actions;

public final class ShowLogAction {
  public static void showLog() {}
}
