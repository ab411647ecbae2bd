package dev.gradpeek

import com.google.gson.JsonElement
import com.intellij.ide.actions.ShowLogAction
import com.intellij.openapi.Disposable
import com.intellij.openapi.application.ApplicationManager
import com.intellij.openapi.application.PathManager
import com.intellij.openapi.options.ShowSettingsUtil
import com.intellij.openapi.project.Project
import com.intellij.openapi.roots.ProjectRootManager
import com.intellij.openapi.wm.ToolWindowManager
import com.intellij.util.concurrency.AppExecutorUtil
import com.intellij.xdebugger.XDebugProcess
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebuggerManagerListener
import dev.gradpeek.actions.Code
import dev.gradpeek.actions.Commands
import dev.gradpeek.actions.IdeSurroundings
import dev.gradpeek.actions.RowCommands
import dev.gradpeek.actions.Showing
import dev.gradpeek.actions.Stage
import dev.gradpeek.actions.then
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.debug.debuggerOf
import dev.gradpeek.notifications.Balloons
import dev.gradpeek.notifications.Remedies
import dev.gradpeek.notifications.balloonOf
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Sources
import dev.gradpeek.server.Start
import dev.gradpeek.settings.Settings
import dev.gradpeek.settings.SettingsPage
import dev.gradpeek.settings.ViewOptions
import dev.gradpeek.toolwindow.GradientsToolWindow
import dev.gradpeek.toolwindow.Introduction
import dev.gradpeek.view.GradientsPanel
import dev.gradpeek.view.Links
import dev.gradpeek.view.Situation
import java.io.File
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executor

private val ALL = Changed(nodes = null)

/**
 * GradPeek in one project, put together; nothing runs before its first stop or the first look.
 *
 * @param pool threads that may wait.
 * @param inOrder runs one thing after the other, in the order of the calls.
 */
internal class GradPeek(private val project: Project, private val pool: Executor, inOrder: Executor) :
    Commands, Disposable {
    @Suppress("unused") // The IDE makes it.
    constructor(project: Project) : this(
        project,
        AppExecutorUtil.getAppExecutorService(),
        AppExecutorUtil.createBoundedApplicationPoolExecutor("GradPeek", AppExecutorUtil.getAppExecutorService(), 1),
    )

    private val edt = Executor { ApplicationManager.getApplication().invokeLater(it, project.disposed) }
    private val settings = ApplicationManager.getApplication().getService(Settings::class.java)
    override val options: ViewOptions = project.getService(ViewOptions::class.java)
    private val balloons = Balloons(project)
    private val surroundings = IdeSurroundings(project, pool, edt, balloons::inform)
    private val ide = Ide()
    private val start = Start(::sources, backendFolder(), { GradPeekBundle.locale }, pool)
    private val backend = Backend(start, pool, inOrder, ide)
    private val introduction = Introduction(settings) { edt.execute { window()?.show(null) } }
    private val sessions = ConcurrentHashMap.newKeySet<XDebugSession>()
    private val noLongerListen = settings.onChange(::settingsChanged)

    @Volatile
    private var panel: GradientsPanel? = null

    override val showing = Showing(backend.asked, ide, surroundings, edt)
    override val rows = RowCommands(backend.asked, ide, surroundings, edt)
    override val selected: Node? get() = panel?.selected

    init {
        options.onChange = backend::configure
    }

    /** Watches a session from now on. */
    fun watch(session: XDebugSession) {
        sessions.add(session)
        SessionListener.listen(session, backend.stops, parent = this)
        // The first stop then finds it running.
        if (ide.options.visible && debuggerOf(session) == "python") backend.server.start()
        panel?.changed(ALL)
    }

    /** The session is over, even where its listeners were not told. */
    fun ended(session: XDebugSession) {
        sessions.remove(session)
        backend.stops.ended(session)
        panel?.changed(ALL)
    }

    override fun select(session: XDebugSession) = backend.stops.selected(session)

    override fun code(): Code? = surroundings.code()

    override fun refresh() {
        backend.server.retry()
        panel?.refresh()
        if (sessions.isNotEmpty()) {
            backend.asked.request(Requests.REFRESH, RootsRequest()).then(edt, ide) { panel?.changed(ALL) }
        }
    }

    override fun search() = ide.open { panel?.search() }

    override fun collapseAll() {
        val tree = panel?.tree ?: return
        for (row in tree.rowCount - 1 downTo 0) tree.collapseRow(row)
    }

    override fun openSettings() = ide.openSettings()

    /** What fills the tool window; on the EDT, once. */
    fun createPanel(): GradientsPanel {
        val created = GradientsPanel(backend.server, ide, ide)
        created.onVisibility = {
            if (created.isShowing) introduction.seen()
            backend.configure()
        }
        panel = created
        return created
    }

    override fun dispose() {
        noLongerListen()
        options.onChange = {}
        backend.close()
    }

    private fun settingsChanged(before: Settings.Values, after: Settings.Values) {
        if (before.interpreter != after.interpreter) backend.server.restart() else backend.configure()
        if (before.copy(isIntroduced = true) != after.copy(isIntroduced = true)) panel?.changed(ALL)
    }

    private fun sources(): Sources {
        if (!isTrusted(project)) throw UntrustedProjectError()
        return Sources(settings.state.interpreter, ProjectRootManager.getInstance(project).projectSdk?.homePath)
    }

    private fun window() = ToolWindowManager.getInstance(project).getToolWindow(GradientsToolWindow.ID)

    /** What the server, the panel and the commands see of the IDE. */
    private inner class Ide : Shown, Situation, Links, Stage, Remedies {
        override val options: Options
            get() {
                val chosen = this@GradPeek.options.state
                return Options(
                    visible = panel?.wantsRows ?: false,
                    console = settings.state.hasConsole,
                    chosen.order,
                    chosen.hidePlain,
                    chosen.onlyProblems,
                    chosen.callers,
                )
            }

        override val sessions get() = this@GradPeek.sessions.size

        @Volatile
        override var hasStopped = false

        @Volatile
        override var stops = 0L

        override val isAutomatic get() = settings.state.isAutomatic

        override fun stopped(params: Stopped) {
            stops++
            if (params.debugger != "python") return
            hasStopped = true
            introduction.stopped()
        }

        override fun changed(params: Changed) {
            panel?.changed(params)
        }

        override fun status(params: Status) {
            panel?.status(params)
        }

        override fun progress(params: JsonElement) {
            panel?.progress(params)
        }

        override fun failed(error: ServerUnavailableError) {
            panel?.failed(error)
            balloons.show(balloonOf(error, this))
        }

        override fun open(then: () -> Unit) {
            val window = window()
            if (window == null) then() else window.activate(then)
        }

        override fun reveal(path: List<Node>) {
            panel?.reveal(path)
        }

        override fun say(message: String) = panel?.say(message) ?: balloons.inform(message)

        override fun lookIntoCallers() = this@GradPeek.options.change { callers = true }

        override fun showExpression() = showing.ask(code())

        override fun refresh() = this@GradPeek.refresh()

        override fun openLog() = ShowLogAction.showLog()

        override fun openSettings() =
            ShowSettingsUtil.getInstance().showSettingsDialog(project, SettingsPage::class.java)

        override fun cancel(work: JsonElement) = backend.server.cancel(work)
    }

    private companion object {
        /** The server lies beside the folder of our jar. What tells a plugin's own path is internal from 262 on. */
        fun backendFolder(): File {
            val jar = PathManager.getJarForClass(GradPeek::class.java)
            return jar?.parent?.resolveSibling("backend")?.toFile() ?: File("backend")
        }
    }
}

/** Hands the debug sessions of a project to GradPeek. */
internal class DebugSessions(private val project: Project) : XDebuggerManagerListener {
    private val gradPeek get() = project.getService(GradPeek::class.java)

    override fun processStarted(debugProcess: XDebugProcess) = gradPeek.watch(debugProcess.session)

    override fun processStopped(debugProcess: XDebugProcess) = gradPeek.ended(debugProcess.session)

    override fun currentSessionChanged(previousSession: XDebugSession?, currentSession: XDebugSession?) {
        currentSession?.let(gradPeek::select)
    }
}
