// API stub, never shipped. Signatures as stated in intellij-community:
// platform/xdebugger-api/src/com/intellij/xdebugger/frame/presentation/XValuePresentation.java
package com.intellij.xdebugger.frame.presentation;

import com.intellij.openapi.editor.colors.TextAttributesKey;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class XValuePresentation {
  public abstract void renderValue(@NotNull XValueTextRenderer renderer);

  public @Nullable String getType() {
    return null;
  }

  public interface XValueTextRenderer {
    void renderValue(@NotNull String value);

    void renderStringValue(@NotNull String value);

    void renderNumericValue(@NotNull String value);

    void renderKeywordValue(@NotNull String value);

    void renderValue(@NotNull String value, @NotNull TextAttributesKey key);

    void renderStringValue(@NotNull String value, @Nullable String additionalSpecialCharsToHighlight, int maxLength);

    void renderComment(@NotNull String comment);

    void renderSpecialSymbol(@NotNull String symbol);

    void renderError(@NotNull String error);
  }
}
