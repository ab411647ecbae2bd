package dev.gradpeek.view

import javax.swing.Timer

private const val INTERVAL_MS = 100

/** Collects what has changed and tells it at most once an interval: one that comes alone at once. On the EDT only. */
internal class Changes(private val tell: (ids: Set<String>?) -> Unit) {
    private var ids: MutableSet<String>? = HashSet()
    private val timer = Timer(INTERVAL_MS) { flush() }.apply { isRepeats = false }

    /** Whether something waits to be told. */
    val isWaiting: Boolean get() = ids?.isNotEmpty() ?: true

    /** Adds nodes by their ids, null for all. */
    fun add(changed: Collection<String>?) {
        if (changed == null) ids = null else ids?.addAll(changed)
        if (!timer.isRunning) flush()
    }

    /** Tells nothing more of what waits. */
    fun clear() {
        timer.stop()
        ids = HashSet()
    }

    private fun flush() {
        if (!isWaiting) return
        val changed = ids
        ids = HashSet()
        timer.restart()
        tell(changed)
    }
}
