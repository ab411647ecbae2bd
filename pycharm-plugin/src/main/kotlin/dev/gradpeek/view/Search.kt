package dev.gradpeek.view

import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.GradPeekBundle.message
import dev.gradpeek.protocol.Found
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.SearchRequest
import dev.gradpeek.server.Answers
import javax.swing.JTree
import javax.swing.Timer

private const val LIMIT = 200
private const val TYPING_MS = 80

/**
 * Searches all rows, also those that the tree has never loaded: the server finds them, and each one that is
 * come to is revealed. On the EDT only.
 */
internal class Search(
    answers: Answers,
    private val tree: JTree,
    private val rows: Rows,
    private val reveal: (List<Node>) -> Unit,
) : Searching {
    private val questions = Questions(answers)
    private val sight = Sight(tree, rows.root)
    private val typing = Timer(TYPING_MS) { look(isNew = true) }.apply { isRepeats = false }
    private var found = Found(emptyList(), 0)
    private var at = 0
    private var origin: Origin? = null

    /** Where the search began. */
    private class Origin(val selected: Row?, val place: Sight.Place?)

    /** Stands above the tree while a search is open. */
    val bar = SearchBar(this)

    /** The words that are searched for. */
    val words: List<String>
        get() = if (bar.isVisible) bar.query.split(' ', '\t').filter(String::isNotBlank) else emptyList()

    /** Opens the search, or continues an open one, with that text in it. */
    fun open(query: String) {
        if (!bar.isVisible) {
            origin = Origin(tree.selectionPath?.row, sight.place())
            bar.isVisible = true
        }
        if (query.isNotEmpty() || bar.query.isEmpty()) bar.query = query
        bar.revalidate()
        bar.focus()
    }

    /** The rows are other ones: looks again, and stays where it is. */
    fun refresh() {
        if (words.isNotEmpty() && !typing.isRunning) look(isNew = false)
    }

    override fun typed(query: String) {
        tree.repaint()
        if (query.isBlank()) {
            leave()
            take(Found(emptyList(), 0), isNew = true)
        } else {
            typing.restart()
        }
    }

    override fun step(by: Int) {
        if (found.matches.isEmpty()) return
        at = Math.floorMod(at + by, found.matches.size)
        come()
    }

    override fun accept() = close()

    override fun cancel() {
        val began = origin
        close()
        if (began == null) return
        val selected = began.selected?.takeIf { it.parent != null }
        if (selected == null) tree.clearSelection() else tree.selectionPath = selected.treePath
        sight.show(began.place)
    }

    /** Leaves what was asked. */
    fun leave() {
        typing.stop()
        questions.leave()
    }

    private fun close() {
        leave()
        origin = null
        found = Found(emptyList(), 0)
        bar.isVisible = false
        bar.query = ""
        bar.counted = ""
        tree.repaint()
        tree.requestFocusInWindow()
    }

    private fun look(isNew: Boolean) {
        typing.stop()
        questions.leave()
        val failed = { error: Throwable ->
            LOG.warn("Search: $error")
            found = Found(emptyList(), 0)
            bar.counted = error.message ?: error.toString()
        }
        questions.ask(Requests.SEARCH, SearchRequest(bar.query, LIMIT), failed) { take(it, isNew) }
    }

    private fun take(answer: Found, isNew: Boolean) {
        val current = found.matches.getOrNull(at)?.node?.id
        found = answer
        at = if (isNew) 0 else answer.matches.indexOfFirst { it.node.id == current }.coerceAtLeast(0)
        if (isNew && answer.matches.isNotEmpty()) come() else count()
    }

    /** Goes to the match that it is at. */
    private fun come() {
        count()
        val id = found.matches[at].node.id
        questions.leave()
        val row = rows[id]
        if (row != null) {
            reveal(row.path.mapNotNull { (it as Row).node })
        } else {
            val failed = { error: Throwable -> bar.counted = error.message ?: error.toString() }
            questions.ask(Requests.REVEAL, NodeRequest(id), failed) { reveal(it.path) }
        }
    }

    private fun count() {
        val shown = found.matches.size
        bar.counted = when {
            bar.query.isBlank() -> ""
            shown == 0 -> message("search.none")
            shown < found.total -> message("search.count.first", at + 1, shown, found.total)
            else -> message("search.count", at + 1, shown)
        }
    }

    private companion object {
        val LOG = Logger.getInstance(Search::class.java)
    }
}
