package dev.gradpeek.e2e

import java.awt.AWTEvent
import java.awt.EventQueue
import java.awt.Toolkit
import java.lang.management.ManagementFactory
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask

/** Does something on the EDT, and returns or throws what it does. */
fun <T> onEdt(act: () -> T): T {
    val task = FutureTask(act)
    if (EventQueue.isDispatchThread()) task.run() else EventQueue.invokeAndWait(task)
    try {
        return task.get()
    } catch (error: ExecutionException) {
        throw error.cause ?: error
    }
}

/**
 * Watches the EDT while a test runs: which events waited for something (counted by the JVM), how long the longest
 * took, and what was thrown.
 */
class WatchedEdt : AutoCloseable {
    private val queue = Watching()

    /** Events in which the EDT waited, and what was thrown there. */
    val wrongs = CopyOnWriteArrayList<String>()

    /** How long the longest event took. */
    @Volatile
    var longestMs = 0L
        private set

    /** How many events there were. */
    @Volatile
    var events = 0
        private set

    init {
        Toolkit.getDefaultToolkit().systemEventQueue.push(queue)
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
            events++
            longestMs = maxOf(longestMs, (System.nanoTime() - begun) / 1_000_000)
            if (waits() != before) wrongs.add("The EDT waited in $event")
        }

        fun leave() = onEdt { pop() }

        private fun waits() = THREADS.getThreadInfo(Thread.currentThread().threadId).waitedCount
    }

    private companion object {
        val THREADS = ManagementFactory.getThreadMXBean()
    }
}

@Suppress("DEPRECATION")
private val Thread.threadId: Long get() = id
