package dev.gradpeek.e2e

import java.awt.AWTEvent
import java.awt.EventQueue
import java.awt.Toolkit
import java.lang.management.ManagementFactory
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

private const val LOOK_TIMEOUT_S = 60L

/** Longer than any queue keeps its lock; who waits so long waits for somebody's answer. */
private const val LOCK_MS = 100

/** Does something on the EDT, and returns or throws what it does. */
internal fun <T> onEdt(act: () -> T): T {
    val task = FutureTask(act)
    if (EventQueue.isDispatchThread()) task.run() else EventQueue.invokeAndWait(task)
    try {
        return task.get()
    } catch (error: ExecutionException) {
        throw error.cause ?: error
    }
}

/**
 * The EDT of a test, watched: in which events it waited for something (the JVM counts that, locks of queues included),
 * how long the longest one took, and what was thrown.
 */
internal class WatchedEdt : AutoCloseable {
    private val queue = Watching()
    private val looks = CopyOnWriteArrayList<() -> Unit>()

    /** Events in which the EDT waited, and what was thrown there. */
    val wrongs = CopyOnWriteArrayList<String>()

    /** How long the longest event took. */
    @Volatile
    var longestMs = 0L
        private set

    init {
        Toolkit.getDefaultToolkit().systemEventQueue.push(queue)
    }

    /** What `look` finds on the EDT, once it finds something: it looks after every event. */
    fun <T : Any> until(what: () -> String, look: () -> T?): T {
        val found = CompletableFuture<T>()
        val looks: () -> Unit = {
            try {
                if (!found.isDone) look()?.let(found::complete)
            } catch (error: Throwable) {
                found.completeExceptionally(error)
            }
        }
        this.looks.add(looks)
        try {
            EventQueue.invokeLater {}
            return found.get(LOOK_TIMEOUT_S, TimeUnit.SECONDS)
        } catch (late: TimeoutException) {
            throw AssertionError(onEdt(what), late)
        } finally {
            this.looks.remove(looks)
        }
    }

    override fun close() = queue.leave()

    private inner class Watching : EventQueue() {
        override fun dispatchEvent(event: AWTEvent) {
            val before = waits()
            val begun = System.nanoTime()
            try {
                super.dispatchEvent(event)
            } catch (error: Throwable) {
                wrongs.add("${error.stackTraceToString()} in $event")
            }
            longestMs = maxOf(longestMs, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun))
            val waited = waits() - before
            if (waited > LOCK_MS) wrongs.add("The EDT waited for $waited ms in $event")
            looks.forEach { it() }
        }

        fun leave() = onEdt { pop() }

        @Suppress("DEPRECATION")
        private fun waits() = THREADS.getThreadInfo(Thread.currentThread().id).run { waitedTime + blockedTime }
    }

    private companion object {
        val THREADS = ManagementFactory.getThreadMXBean().apply { isThreadContentionMonitoringEnabled = true }
    }
}
