package dev.gradpeek.view

import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Nodes
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.Answers
import javax.swing.JTree
import javax.swing.event.TreeExpansionEvent
import javax.swing.event.TreeExpansionListener

/** Why the tree looks as it does. */
internal sealed interface Picture {
    /** As the server says. */
    data class Told(val state: ViewState, val message: String?) : Picture

    /** A server is being started for the first answer. */
    data object Starting : Picture

    /** The rows are of an earlier stop, and this one is looked at only when the user refreshes. */
    data object Behind : Picture
}

/**
 * Fills the tree with what the server says, and asks it for what is in sight and has changed.
 *
 * Rows out of sight are asked for when they are scrolled to, so that a change costs what can be seen, however
 * many rows are unfolded. On the EDT only.
 */
internal class TreeFeed(
    private val answers: Answers,
    private val situation: Situation,
    private val tree: JTree,
    private val rows: Rows,
    private val view: View,
) {
    /** What the feed needs of the view, and tells it. */
    interface View {
        /** Whether anybody sees the tree. */
        val isInSight: Boolean

        /** Whether the present stop is to be looked at. */
        val wantsRows: Boolean

        /** There is something else to show. */
        fun show(picture: Picture)

        /** Rows have been asked for again, and are as the server says. */
        fun refreshed()
    }

    private val questions = Questions(answers)
    private val changes = Changes(::apply)
    private val asking = HashMap<Row, Question>()
    private val sight = Sight(tree, rows.root)
    private val reveals = Reveals(tree, rows, Below())

    /** Counts the changes of the whole tree. */
    private var change = 0L
    private var isChangedUnseen = true

    /** The row that was selected when it went. */
    private var lost: String? = null

    init {
        tree.addTreeExpansionListener(object : TreeExpansionListener {
            override fun treeExpanded(event: TreeExpansionEvent) = event.path.row.let { if (isDue(it)) ask(it) }

            override fun treeCollapsed(event: TreeExpansionEvent) = Unit
        })
    }

    /** Asks for nodes again, null for all: what is on its way for them is left. */
    fun changed(ids: Collection<String>?) = changes.add(ids)

    /** Asks for what has changed while nobody saw the tree. */
    fun cameIntoSight() {
        if (isChangedUnseen) changed(null)
    }

    /** Asks for what is in sight now and has not been asked for. */
    fun scrolled() {
        if (view.isInSight) askDue()
    }

    /**
     * Opens the way to the last node of a path from the top and selects it, as soon as it is there.
     *
     * @param unfolds whether what is below that node is opened, too.
     */
    fun reveal(path: List<Node>, unfolds: Boolean) {
        reveals.start(path, unfolds)
        proceed()
    }

    /** Shows nothing but why. */
    fun fail(message: String) {
        leave()
        rows.root.asked = change
        put(rows.root, emptyList())
        view.show(Picture.Told(ViewState.FAILED, message))
    }

    /** Leaves all that has been asked. */
    fun leave() {
        changes.clear()
        questions.leave()
        asking.clear()
    }

    private fun apply(ids: Set<String>?) {
        if (!view.isInSight) {
            isChangedUnseen = true
        } else if (ids == null) {
            questions.leave()
            asking.clear()
            change++
            isChangedUnseen = false
            askRoots()
        } else {
            topmost(ids).forEach { row ->
                row.forget()
                row.parent?.let { it.asked = Row.NEVER }
            }
            askDue()
        }
    }

    private fun askRoots() {
        if (!answers.isRunning && (situation.sessions == 0 || !situation.hasStopped)) {
            rows.root.asked = change
            val state = if (situation.sessions > 0) ViewState.RUNNING else ViewState.NO_SESSION
            take(Nodes(emptyList(), state, null))
        } else if (!view.wantsRows && situation.sessions > 0) {
            view.show(Picture.Behind)
        } else {
            if (!answers.isRunning) view.show(Picture.Starting)
            ask(rows.root)
        }
    }

    private fun take(top: Nodes) {
        // The server knows a session from its first stop on.
        val runs = top.state == ViewState.NO_SESSION && situation.sessions > 0
        put(rows.root, top.nodes)
        view.show(Picture.Told(if (runs) ViewState.RUNNING else top.state, top.message))
    }

    private fun ask(row: Row) {
        asking.remove(row)?.leave()
        row.asked = change
        val id = row.node?.id
        val failed = { error: Throwable -> failed(row, error) }
        asking[row] = if (id == null) {
            questions.ask(Requests.ROOTS, RootsRequest(), failed) { answered(row) { take(it) } }
        } else {
            questions.ask(Requests.CHILDREN, NodeRequest(id), failed) { answered(row) { put(row, it.nodes) } }
        }
    }

    private fun answered(row: Row, take: () -> Unit) {
        asking.remove(row)
        // A row that has gone meanwhile, or is no longer one to unfold, has nothing below it.
        if (row === rows.root || rows[row.node!!.id] === row && row.allowsChildren) take()
        proceed()
        if (asking.isEmpty()) view.refreshed()
    }

    private fun failed(row: Row, error: Throwable) {
        asking.remove(row)
        LOG.warn("The tree could not be asked for: $error")
        if (row === rows.root) fail(error.message ?: error.toString())
        proceed()
    }

    private fun put(row: Row, nodes: List<Node>) {
        val before = tree.selectionPath?.row?.node?.id
        val unfolded = sight.kept { rows.put(row, nodes, tree) }
        unfolded.forEach { tree.expandPath(it.treePath) }
        select(before)
    }

    /** Selects the row that was selected when it went, once it is back and no other one is. */
    private fun select(before: String?) {
        if (tree.isSelectionEmpty) lost = before ?: lost
        val back = if (tree.isSelectionEmpty) lost?.let { rows[it] } else null
        if (back != null) tree.selectionPath = back.treePath
        if (!tree.isSelectionEmpty) lost = null
    }

    private fun proceed() {
        if (!view.isInSight || changes.isWaiting) return
        reveals.proceed()
        askDue()
    }

    private fun askDue() {
        // Rows whose top is on its way may be gone with its answer.
        if (!view.wantsRows || rows.root in asking) return
        for (row in sight.unfolded().filter(::isDue)) if (row === rows.root) askRoots() else ask(row)
    }

    private fun isDue(row: Row) = row.asked < change && row !in asking

    private fun topmost(ids: Set<String>): List<Row> = ids.mapNotNull { rows[it] }.filter { row ->
        generateSequence(row.parent) { it.parent }.none { it.node?.id in ids }
    }

    private fun Row.forget() {
        asked = Row.NEVER
        asking.remove(this)?.leave()
        rows.forEach { it.forget() }
    }

    private inner class Below : Reveals.Source {
        override fun isAsking(row: Row) = row in asking

        override fun isDue(row: Row) = this@TreeFeed.isDue(row)

        override fun ask(row: Row) = this@TreeFeed.ask(row)
    }

    private companion object {
        val LOG = Logger.getInstance(TreeFeed::class.java)
    }
}
