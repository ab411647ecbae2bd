package dev.gradpeek.e2e

import com.google.gson.JsonElement
import com.intellij.openapi.util.Disposer
import dev.gradpeek.Backend
import dev.gradpeek.Shown
import dev.gradpeek.actions.Showing
import dev.gradpeek.actions.Stage
import dev.gradpeek.actions.Surroundings
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Order
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Sources
import dev.gradpeek.server.Start
import dev.gradpeek.view.GradientsPanel
import dev.gradpeek.view.Links
import dev.gradpeek.view.Situation
import java.awt.EventQueue
import java.io.File
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

private const val END_TIMEOUT_S = 60L
private const val WIDTH = 520
private const val HEIGHT = 720
private val PYTHON: String = System.getenv("GRADPEEK_PYTHON")

/** The debuggers that PyCharm has. */
internal enum class Debugger {
    PYDEVD {
        override fun begin(ide: Ide, script: String) =
            ide.watch(PydevdSession("$script, pydevd", ide.pool, PYTHON, ide.program(script)), PydevdSession::begin)
    },
    DEBUGPY {
        override fun begin(ide: Ide, script: String) =
            ide.watch(DebugpySession("$script, debugpy", ide.pool, PYTHON, ide.program(script)), DebugpySession::begin)
    },
    ;

    /** A program of the tests under this debugger; it runs. */
    abstract fun begin(ide: Ide, script: String): DebuggeeSession
}

/**
 * The plugin in a project: put together as in `GradPeek.kt`, but for the services of the IDE (settings, tool window,
 * balloons), with the server that it ships in a process of its own, and its panel, in no window, on the real EDT.
 */
internal class Ide : AutoCloseable {
    /** The EDT. */
    val edt = WatchedEdt()
    private val threads = AtomicInteger()

    /** The IDE's pooled threads. */
    val pool = Executors.newCachedThreadPool { task ->
        Thread(task, "pooled ${threads.incrementAndGet()}").apply { isDaemon = true }
    }
    private val inOrder = Executors.newSingleThreadExecutor()
    private val disposable = Disposer.newDisposable()
    private val debuggees = CopyOnWriteArrayList<DebuggeeSession>()
    private val running = CopyOnWriteArrayList<DebuggeeSession>()

    /** What the user was told in balloons. */
    val balloons = LinkedBlockingQueue<String>()

    /** What is above the tree. */
    val said = LinkedBlockingQueue<String>()
    private val window = Window()
    private val start = Start({ Sources(PYTHON, project = null) }, BACKEND, { "en" }, pool)
    val backend: Backend = Backend(start, pool, inOrder, window)
    val panel: GradientsPanel = onEdt {
        GradientsPanel(backend.server, window, window).also {
            it.onVisibility = backend::configure
            it.setSize(WIDTH, HEIGHT)
        }
    }
    val showing = Showing(backend.asked, window, window) { EventQueue.invokeLater(it) }

    /** Every server that runs. */
    val servers: List<ProcessHandle> get() = ProcessHandle.current().children().filter { child ->
        BACKEND.path in child.info().commandLine().orElse("")
    }.toList()

    /** A program of the tests. */
    fun program(name: String) = File(System.getenv("GRADPEEK_TESTS"), "python/$name.py")

    /** Watches a session, which `begin` starts. */
    fun <S : DebuggeeSession> watch(session: S, begin: (S) -> Unit): S {
        debuggees.add(session)
        running.add(session)
        session.becomesCurrent = backend.stops::selected
        session.isOver = {
            running.remove(session)
            backend.stops.ended(session)
            panel.changed(Changed(null))
        }
        SessionListener.listen(session, backend.stops, disposable)
        if (panel.wantsRows) backend.server.start()
        panel.changed(Changed(null))
        begin(session)
        return session
    }

    /** Brings the panel into sight. */
    fun showPanel() = onEdt {
        panel.addNotify()
        panel.validate()
    }

    /** The user presses Refresh. */
    fun refresh() = onEdt(window::refresh)

    override fun close() {
        val servers = servers
        debuggees.forEach(DebuggeeSession::close)
        onEdt {
            panel.dispose()
            if (panel.isShowing) panel.removeNotify()
        }
        backend.close()
        servers.forEach { it.onExit().get(END_TIMEOUT_S, TimeUnit.SECONDS) }
        Disposer.dispose(disposable)
        inOrder.shutdown()
        edt.close()
        check(edt.wrongs.isEmpty()) { edt.wrongs.joinToString("\n") }
    }

    private inner class Window : Shown, Situation, Links, Stage, Surroundings {
        // Nothing is shown before there is a panel.
        private val shown: GradientsPanel? get() = panel

        override val options
            get() = Options(
                visible = shown?.wantsRows ?: false,
                console = true,
                order = Order.MODEL,
                hidePlain = false,
                onlyProblems = false,
                callers = false,
            )
        override val sessions get() = running.size

        @Volatile
        override var hasStopped = false

        @Volatile
        override var stops = 0L
        override val isAutomatic = true

        override fun stopped(params: Stopped) {
            stops++
            hasStopped = true
        }

        override fun changed(params: Changed) = panel.changed(params)

        override fun status(params: Status) = panel.status(params)

        override fun progress(params: JsonElement) = panel.progress(params)

        override fun failed(error: ServerUnavailableError) {
            panel.failed(error)
            balloons.add(error.message)
        }

        override fun open(then: () -> Unit) = then()

        override fun reveal(path: List<Node>) = panel.reveal(path)

        override fun say(message: String) {
            said.add(message)
            panel.say(message)
        }

        override fun refresh() {
            backend.server.retry()
            panel.refresh()
            backend.asked.request(Requests.REFRESH, RootsRequest()).thenRun { panel.changed(Changed(null)) }
        }

        override fun lookIntoCallers() = error("nobody asks for it")

        override fun showExpression() = error("nobody asks for it")

        override fun openLog() = error("nobody asks for it")

        override fun openSettings() = error("nobody asks for it")

        override fun cancel(work: JsonElement) = backend.server.cancel(work)

        override fun copy(text: String) = error("nobody asks for it")

        override fun watch(expression: String) = error("nobody asks for it")

        override fun open(file: String, line: Int) = error("nobody asks for it")

        override fun ask(offered: String) = error("nobody asks for it")

        override fun inform(message: String) {
            balloons.add(message)
        }
    }

    private companion object {
        val BACKEND = File(System.getenv("GRADPEEK_BACKEND"))
    }
}
