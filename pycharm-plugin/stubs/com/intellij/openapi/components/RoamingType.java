// API stub, never shipped. Signatures as stated in intellij-community:
// platform/projectModel-api/src/com/intellij/openapi/components/RoamingType.java
package com.intellij.openapi.components;

public enum RoamingType {
  DEFAULT,
  DISABLED
}
