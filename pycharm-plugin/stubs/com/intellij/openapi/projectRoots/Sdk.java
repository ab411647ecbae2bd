// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/projectRoots/Sdk.java
package com.intellij.openapi.projectRoots;

public interface Sdk {
  String getName();

  String getHomePath();
}
