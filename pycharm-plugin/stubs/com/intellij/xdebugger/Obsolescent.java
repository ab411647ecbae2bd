// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/Obsolescent.java
package com.intellij.xdebugger;

public interface Obsolescent {
  default boolean isObsolete() {
    return false;
  }
}
