package dev.gradpeek.view

import com.google.gson.JsonElement
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import java.awt.Container
import java.util.concurrent.Callable
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import javax.swing.JComponent
import javax.swing.RepaintManager
import javax.swing.SwingUtilities
import javax.swing.Timer

/** What a function returns on the EDT. */
internal fun <T> onEdt(act: () -> T): T =
    if (SwingUtilities.isEventDispatchThread()) {
        act()
    } else {
        FutureTask(Callable(act)).also(SwingUtilities::invokeAndWait).get()
    }

/** A panel of its own in no window, as wide and high as a tool window, and all that is around it. */
internal class PanelFixture(width: Int = 420, height: Int = 720) : AutoCloseable {
    val server = FakeServer()

    @Volatile
    var sessions = 1

    @Volatile
    var hasStopped = true

    @Volatile
    var stops = 1L

    @Volatile
    var isAutomatic = true
    val followed = ConcurrentLinkedQueue<String>()

    /** What was drawn or laid out elsewhere than on the EDT. */
    val strayed = ConcurrentLinkedQueue<Throwable>()

    private val situation = object : Situation {
        override val sessions get() = this@PanelFixture.sessions
        override val hasStopped get() = this@PanelFixture.hasStopped
        override val stops get() = this@PanelFixture.stops
        override val isAutomatic get() = this@PanelFixture.isAutomatic
    }

    private val links = object : Links {
        override fun lookIntoCallers() = follow("callers")
        override fun showExpression() = follow("expression")
        override fun refresh() {
            follow("refresh")
            panel.refresh()
        }
        override fun openLog() = follow("log")
        override fun openSettings() = follow("settings")
        override fun cancel(work: JsonElement) = follow("cancel $work")
    }

    private fun follow(link: String) {
        followed.add(link)
    }

    val panel: GradientsPanel = onEdt {
        RepaintManager.setCurrentManager(Watching())
        GradientsPanel(server, situation, links).apply { setSize(width, height) }
    }
    val tree get() = panel.tree

    /** Brings it into sight. */
    fun show() = onEdt {
        panel.addNotify()
        panel.validate()
    }

    /** Takes it out of sight. */
    fun hide() = onEdt { panel.removeNotify() }

    /** The server says that those have changed. */
    fun changed(vararg ids: String) = panel.changed(Changed(ids.toList().ifEmpty { null }))

    /** The next stop: the server says so, as it does at each. */
    fun stop(tree: Map<String?, List<Node>>) {
        server.tree = tree
        stops++
        changed()
    }

    /** Waits until that holds on the EDT. */
    fun until(what: String, holds: () -> Boolean) {
        val held = CompletableFuture<Unit>()
        val look = Timer(LOOK_MS) {
            try {
                panel.validate()
                if (holds()) held.complete(Unit)
            } catch (error: Throwable) {
                held.completeExceptionally(error)
            }
        }
        look.initialDelay = 0
        look.start()
        try {
            held.get(FakeServer.WAIT_S, TimeUnit.SECONDS)
        } catch (late: TimeoutException) {
            throw AssertionError("$what; rows: ${lines()}; asked: ${server.all}", late)
        } finally {
            look.stop()
        }
    }

    /** Waits until the rows are those, indented by their depths. */
    fun untilRows(vararg expected: String) = until("rows are not ${expected.toList()}") { lines() == expected.toList() }

    /** The rows that are unfolded, indented by their depths. */
    fun lines(): List<String> = onEdt {
        (0 until tree.rowCount).map { place ->
            val path = tree.getPathForRow(place)
            "  ".repeat(path.pathCount - 2) + line(path.row.node!!)
        }
    }

    fun row(label: String): Row = onEdt {
        (0 until tree.rowCount).map { tree.getPathForRow(it).row }.single { it.node!!.label == label }
    }

    fun select(label: String) = row(label).let { row -> onEdt { tree.selectionPath = row.treePath } }

    fun expand(label: String) = row(label).let { row -> onEdt { tree.expandPath(row.treePath) } }

    /** All components of that class in the panel. */
    fun <T : JComponent> all(type: Class<T>): List<T> {
        fun within(of: Container): List<Container> = listOf(of) + of.components.flatMap { within(it as Container) }
        return onEdt { within(panel).filterIsInstance(type) }
    }

    override fun close() {
        onEdt {
            panel.dispose()
            if (panel.isShowing) panel.removeNotify()
            RepaintManager.setCurrentManager(RepaintManager())
        }
        server.close()
        strayed.firstOrNull()?.let { throw AssertionError("Swing was touched elsewhere than on the EDT", it) }
    }

    private inner class Watching : RepaintManager() {
        override fun addDirtyRegion(component: JComponent, x: Int, y: Int, width: Int, height: Int) {
            check()
            super.addDirtyRegion(component, x, y, width, height)
        }

        override fun addInvalidComponent(component: JComponent) {
            check()
            super.addInvalidComponent(component)
        }

        private fun check() {
            if (!SwingUtilities.isEventDispatchThread()) strayed.add(Throwable())
        }
    }

    private companion object {
        const val LOOK_MS = 5
    }
}
