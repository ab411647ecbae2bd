// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/presentation/XValuePresentation.java
package com.intellij.xdebugger.frame.presentation;

import com.intellij.openapi.editor.colors.TextAttributesKey;

public abstract class XValuePresentation {
  public abstract void renderValue(XValueTextRenderer renderer);

  public String getType() {
    return null;
  }

  public interface XValueTextRenderer {
    void renderValue(String value);

    void renderStringValue(String value);

    void renderNumericValue(String value);

    void renderKeywordValue(String value);

    void renderValue(String value, TextAttributesKey key);

    void renderStringValue(String value, String additionalSpecialCharsToHighlight, int maxLength);

    void renderComment(String comment);

    void renderSpecialSymbol(String symbol);

    void renderError(String error);
  }
}
