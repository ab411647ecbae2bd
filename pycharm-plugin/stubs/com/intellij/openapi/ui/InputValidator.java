// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/openapi/ui/InputValidator.java
package com.intellij.openapi.ui;

public interface InputValidator {
  boolean checkInput(String inputString);

  boolean canClose(String inputString);
}
