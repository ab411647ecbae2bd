// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/options/ConfigurationException.java
package com.intellij.openapi.options;

public class ConfigurationException extends Exception {
  public ConfigurationException(String message) {
    super(message);
  }
}
