// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/XValueNode.java
package com.intellij.xdebugger.frame;

import com.intellij.xdebugger.Obsolescent;
import com.intellij.xdebugger.frame.presentation.XValuePresentation;
import javax.swing.Icon;

public interface XValueNode extends Obsolescent {
  void setPresentation(Icon icon, String type, String value, boolean hasChildren);

  void setPresentation(Icon icon, XValuePresentation presentation, boolean hasChildren);

  void setFullValueEvaluator(XFullValueEvaluator fullValueEvaluator);
}
