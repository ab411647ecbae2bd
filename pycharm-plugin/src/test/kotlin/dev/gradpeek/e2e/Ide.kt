package dev.gradpeek.e2e

import com.google.gson.JsonElement
import com.intellij.openapi.util.Disposer
import dev.gradpeek.Backend
import dev.gradpeek.Shown
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Nodes
import dev.gradpeek.protocol.Notifications
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Order
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.Status
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Sources
import dev.gradpeek.server.Start
import java.io.File
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

private const val ANSWER_TIMEOUT_S = 60L

/** The debuggers that PyCharm has. */
enum class Debugger {
    PYDEVD {
        override fun begin(ide: Ide, script: String) = ide.watched(
            PydevdSession("$script under pydevd", ide.pool, PYTHON, ide.program(script)),
            PydevdSession::begin,
        )
    },
    DEBUGPY {
        override fun begin(ide: Ide, script: String) = ide.watched(
            DebugpySession("$script under debugpy", ide.pool, PYTHON, ide.program(script)),
            DebugpySession::begin,
        )
    },
    ;

    /** A program of the tests under this debugger; it runs. */
    abstract fun begin(ide: Ide, script: String): DebuggeeSession

    private companion object {
        val PYTHON: String = System.getenv("GRADPEEK_PYTHON")
    }
}

/**
 * The plugin without its window, as it is put together in a project (`GradPeek.kt`), with the server that it ships in a
 * process of its own, and the debug sessions that it watches.
 */
class Ide : AutoCloseable {
    private val threads = AtomicInteger()

    /** The IDE's pooled threads. */
    val pool = Executors.newCachedThreadPool { task ->
        Thread(task, "pooled ${threads.incrementAndGet()}").apply { isDaemon = true }
    }
    private val inOrder = Executors.newSingleThreadExecutor()
    private val disposable = Disposer.newDisposable()
    private val sessions = ArrayList<DebuggeeSession>()
    private val news = LinkedBlockingQueue<Unit>()

    /** Every server that has been started. */
    val servers: List<ProcessHandle> get() = ProcessHandle.current().children().filter { child ->
        BACKEND.path in child.info().commandLine().orElse("")
    }.toList()

    /** What the user was told of a server that is gone. */
    val failures = LinkedBlockingQueue<ServerUnavailableError>()

    /** What the status bar has shown. */
    val statuses = ConcurrentLinkedQueue<Status>()

    @Volatile
    private var options = Options(
        visible = true,
        console = true,
        order = Order.MODEL,
        hidePlain = false,
        onlyProblems = false,
        callers = false,
    )

    private val start =
        Start({ Sources(System.getenv("GRADPEEK_PYTHON"), project = null) }, BACKEND, { "en" }, pool)

    internal val backend = Backend(start, pool, inOrder, object : Shown {
        override val options get() = this@Ide.options

        override fun changed(params: Changed) {
            news.add(Unit)
        }

        override fun status(params: Status) {
            statuses.add(params)
        }

        override fun progress(params: JsonElement) = Unit

        override fun failed(error: ServerUnavailableError) {
            failures.add(error)
        }
    })

    /** A program of the tests. */
    fun program(name: String) = File(System.getenv("GRADPEEK_TESTS"), "python/$name.py")

    internal fun <S : DebuggeeSession> watched(session: S, begin: (S) -> Unit): S {
        sessions.add(session)
        session.becomesCurrent = { backend.stops.selected(it) }
        SessionListener.listen(session, backend.stops, disposable)
        begin(session)
        return session
    }

    /** The user changes how the tree is shown. */
    fun configure(changed: (Options) -> Options) {
        options = changed(options)
        backend.server.notify(Notifications.CONFIGURE, options)
    }

    /** The server's answer. */
    internal fun <P : Any, R : Any> ask(request: dev.gradpeek.protocol.Request<P, R>, params: P): R =
        backend.server.request(request, params).get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS)

    fun roots(): Nodes = ask(Requests.ROOTS, RootsRequest())

    fun children(node: Node): List<Node> = ask(Requests.CHILDREN, NodeRequest(node.id)).nodes

    fun details(node: Node): Details = ask(Requests.DETAILS, NodeRequest(node.id))

    /** The node at the end of a path of labels, or null where one of them is not there. */
    fun find(vararg labels: String): Node? {
        var nodes = roots().nodes
        var found: Node? = null
        for (label in labels) {
            found = nodes.find { it.label == label } ?: return null
            if (label !== labels.last()) nodes = children(found)
        }
        return found
    }

    /** What `look` finds, once it finds something; it looks again whenever the server says that something has changed. */
    fun <T : Any> until(what: String, look: () -> T?): T {
        val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_TIMEOUT_S)
        while (true) {
            look()?.let { return it }
            val left = deadline - System.nanoTime()
            checkNotNull(news.poll(left, TimeUnit.NANOSECONDS)) { "Nothing has come of: $what. ${roots()}" }
        }
    }

    override fun close() {
        val running = servers
        sessions.forEach(DebuggeeSession::close)
        backend.close()
        running.forEach { if (it.isAlive) it.onExit().get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS) }
        Disposer.dispose(disposable)
        inOrder.shutdown()
        pool.shutdown()
    }

    private companion object {
        val BACKEND = File(System.getenv("GRADPEEK_BACKEND"))
    }
}

/** What a row shows. */
val Node.text: String get() = (listOf(label) + cells.map { it.text }).joinToString("  ")
