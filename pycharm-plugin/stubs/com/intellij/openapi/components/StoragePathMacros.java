// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/components/StoragePathMacros.java
package com.intellij.openapi.components;

public final class StoragePathMacros {
  public static final String WORKSPACE_FILE = "$WORKSPACE_FILE$";
}
