// API stub, never shipped. Signatures as stated in intellij-community:
// platform/core-api/src/org/jetbrains/concurrency/Promise.java
package org.jetbrains.concurrency;

import java.util.function.Consumer;
import org.jetbrains.annotations.NotNull;

public interface Promise<T> {
  @NotNull Promise<T> onSuccess(@NotNull Consumer<? super T> handler);

  @NotNull Promise<T> onError(@NotNull Consumer<? super Throwable> rejected);
}
