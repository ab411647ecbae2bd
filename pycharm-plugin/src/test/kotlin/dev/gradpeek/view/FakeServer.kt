package dev.gradpeek.view

import dev.gradpeek.protocol.Cell
import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Found
import dev.gradpeek.protocol.Match
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeKind
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Nodes
import dev.gradpeek.protocol.Request
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.Revealed
import dev.gradpeek.protocol.Row
import dev.gradpeek.protocol.SearchRequest
import dev.gradpeek.protocol.Style
import dev.gradpeek.protocol.Tone
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.Answers
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** A node as servers send them. */
internal fun node(
    id: String,
    label: String = id,
    kind: NodeKind = NodeKind.MODULE,
    cells: List<Cell> = emptyList(),
    tone: Tone = Tone.NORMAL,
    isStale: Boolean = false,
    expandable: Boolean = false,
    expanded: Boolean = false,
    pinned: Boolean = false,
) = Node(
    id, null, kind, label, cells, tone, isStale, expandable, expanded, pinned,
    spoken = "$label spoken", expression = null, actions = emptyList(),
)

internal fun cell(text: String, style: Style) = Cell(text, style)

/** A question that waits for its answer. */
internal class Held(val what: String, val answer: CompletableFuture<*>, private val reply: () -> Unit) {
    /** Answers it, whether or not anybody still waits. */
    fun answer() = reply()
}

/** A server that answers from a tree of nodes by their parents, on a thread of its own, or when it is told to. */
internal class FakeServer : Answers, AutoCloseable {
    private val thread = Executors.newSingleThreadExecutor()

    /** What there is; the top is below null. */
    @Volatile
    var tree: Map<String?, List<Node>> = emptyMap()

    /** What is known of nodes by their ids; of others something is made up. */
    @Volatile
    var details: Map<String, Details> = emptyMap()

    @Volatile
    var state = ViewState.SHOWN

    @Volatile
    var message: String? = null

    @Volatile
    var failure: Throwable? = null

    @Volatile
    override var isRunning = true

    /** Kinds of questions that are not answered by themselves. */
    @Volatile
    var holds: Set<String> = emptySet()

    /** All questions, in order: their names without the prefix, and the node. */
    val asked = LinkedBlockingQueue<String>()
    val held = LinkedBlockingQueue<Held>()
    private val log = ArrayList<String>()

    /** All that has been asked. */
    val all: List<String> get() = synchronized(log) { log.toList() }

    override fun retry() = Unit

    override fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R> {
        val name = method.method.removePrefix("gradpeek/")
        val what = when (params) {
            is NodeRequest -> "$name ${params.node}"
            is SearchRequest -> "$name ${params.query} ${params.limit}"
            else -> name
        }
        synchronized(log) { log.add(what) }
        asked.add(what)
        val answer = CompletableFuture<R>()
        val error = failure
        val reply = {
            if (error != null) {
                answer.completeExceptionally(error)
            } else {
                answer.complete(method.result.cast(of(params, method)))
            }
            Unit
        }
        if (name in holds) held.add(Held(what, answer, reply)) else thread.execute(reply)
        return answer
    }

    /** The next question that is held. */
    fun nextHeld(): Held = held.poll(WAIT_S, TimeUnit.SECONDS) ?: error("nothing was asked: $all")

    /** All nodes with what is below them. */
    fun every(): List<Node> {
        fun below(id: String?): List<Node> = tree[id].orEmpty().flatMap { listOf(it) + below(it.id) }
        return below(null)
    }

    /** The way from the top to a node. */
    fun path(id: String): List<Node> {
        fun find(parent: String?): List<Node>? = tree[parent].orEmpty().firstNotNullOfOrNull { node ->
            if (node.id == id) listOf(node) else find(node.id)?.let { listOf(node) + it }
        }
        return find(null).orEmpty()
    }

    private fun of(params: Any, method: Request<*, *>): Any = when (method) {
        Requests.ROOTS -> Nodes(tree[null].orEmpty(), state, message)
        Requests.CHILDREN -> Nodes(tree[(params as NodeRequest).node].orEmpty(), ViewState.SHOWN, null)
        Requests.DETAILS -> (params as NodeRequest).node.let { details[it] ?: details(it) }
        Requests.REVEAL -> Revealed(path((params as NodeRequest).node), null)
        Requests.SEARCH -> {
            params as SearchRequest
            val found = every().filter { params.query in it.label }
            Found(found.take(params.limit!!).map { Match(it, it.label) }, found.size)
        }
        else -> error(method.method)
    }

    private fun details(id: String): Details {
        val node = path(id).lastOrNull() ?: return Details("", emptyList(), emptyList(), emptyList(), "")
        return Details(
            node.label,
            listOf("About ${node.label}: " + node.cells.joinToString { it.text }),
            listOf("data", "gradient"),
            listOf(Row("norm", listOf("3.27", "0.366")), Row("count", listOf("2,400", "2,400"))),
            "",
        )
    }

    override fun close() {
        thread.shutdown()
    }

    companion object {
        const val WAIT_S = 20L
    }
}
