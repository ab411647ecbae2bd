// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/XDebugSessionListener.java
package com.intellij.xdebugger;

import java.util.EventListener;

public interface XDebugSessionListener extends EventListener {
  default void sessionPaused() {}

  default void sessionResumed() {}

  default void sessionStopped() {}

  default void stackFrameChanged() {}

  default void beforeSessionResume() {}

  default void settingsChanged() {}
}
