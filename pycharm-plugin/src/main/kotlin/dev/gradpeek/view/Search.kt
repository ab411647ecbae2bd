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
    private val typing = Timer(TYPING_MS) { look() }.apply { isRepeats = false }
    private var found = Found(emptyList(), 0)
    private var at = 0
    private var origin: Origin? = null

    /** What is found is not of the query that has been typed. */
    private var isNew = false

    /** The match that it is at has still to be shown. */
    private var isDue = false

    /** The rows have changed since they were searched. */
    private var isBehind = false

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
        if (words.isEmpty() || typing.isRunning) return
        // What is on its way is waited for: rows can change faster than the server searches.
        if (questions.isAwaiting) isBehind = true else look()
    }

    override fun typed(query: String) {
        tree.repaint()
        isNew = true
        if (query.isBlank()) {
            leave()
            take(Found(emptyList(), 0))
        } else {
            typing.restart()
        }
    }

    override fun step(by: Int) {
        if (isNew || found.matches.isEmpty()) return
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
        isDue = false
        isBehind = false
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

    private fun look() {
        isBehind = false
        typing.stop()
        questions.leave()
        val failed = { error: Throwable ->
            LOG.warn("Search: $error")
            found = Found(emptyList(), 0)
            said(error)
        }
        questions.ask(Requests.SEARCH, SearchRequest(bar.query, LIMIT), failed, ::take)
    }

    private fun take(answer: Found) {
        val current = if (isNew) null else found.matches.getOrNull(at)?.node?.id
        found = answer
        at = answer.matches.indexOfFirst { it.node.id == current }.coerceAtLeast(0)
        isDue = (isDue || isNew) && answer.matches.isNotEmpty()
        isNew = false
        if (isDue) {
            come()
        } else {
            count()
            settled()
        }
    }

    /** Goes to the match that it is at. */
    private fun come() {
        count()
        isDue = true
        isBehind = isBehind || questions.isAwaiting
        questions.leave()
        val id = found.matches[at].node.id
        val row = rows[id]
        if (row != null) came(row.path.mapNotNull { (it as Row).node }) else ask(id)
    }

    private fun ask(id: String) =
        questions.ask(Requests.REVEAL, NodeRequest(id), ::said) { came(it.path) }

    private fun came(path: List<Node>) {
        isDue = false
        reveal(path)
        settled()
    }

    private fun said(error: Throwable) {
        bar.counted = error.message ?: error.toString()
        settled()
    }

    private fun settled() {
        if (isBehind) look()
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
