// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/options/Configurable.java
package com.intellij.openapi.options;

public interface Configurable extends UnnamedConfigurable {
  String getDisplayName();
}
