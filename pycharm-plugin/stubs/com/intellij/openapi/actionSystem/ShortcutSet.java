// API stub, never shipped. Signatures as stated in intellij-community:
// platform/editor-ui-api/src/com/intellij/openapi/actionSystem/ShortcutSet.java
package com.intellij.openapi.actionSystem;

public interface ShortcutSet {}
