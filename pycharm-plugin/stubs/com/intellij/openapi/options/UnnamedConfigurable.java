// API stub, never shipped. Signatures as stated in intellij-community:
// platform/ide-core/src/com/intellij/openapi/options/UnnamedConfigurable.java
package com.intellij.openapi.options;

import javax.swing.JComponent;
import org.jetbrains.annotations.Nullable;

public interface UnnamedConfigurable {
  @Nullable JComponent createComponent();

  boolean isModified();

  void apply() throws ConfigurationException;

  default void reset() {}

  default void disposeUIResources() {}
}
