// API stub, never shipped. Signatures as stated in intellij-community:
// platform/core-api/src/org/jetbrains/concurrency/Promise.java
package org.jetbrains.concurrency;

import java.util.function.Consumer;

public interface Promise<T> {
  Promise<T> onSuccess(Consumer<? super T> handler);

  Promise<T> onError(Consumer<? super Throwable> rejected);
}
