package dev.gradpeek

import com.google.gson.JsonElement
import com.intellij.notification.NotificationGroupManager
import com.intellij.notification.NotificationType
import com.intellij.openapi.Disposable
import com.intellij.openapi.application.PathManager
import com.intellij.openapi.project.Project
import com.intellij.openapi.roots.ProjectRootManager
import com.intellij.util.concurrency.AppExecutorUtil
import com.intellij.xdebugger.XDebugProcess
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebuggerManagerListener
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Order
import dev.gradpeek.protocol.Status
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Sources
import dev.gradpeek.server.Start
import java.io.File

/** GradPeek in one project; nothing runs before its first stop. */
class GradPeek(private val project: Project) : Disposable {
    private val pool = AppExecutorUtil.getAppExecutorService()
    private val backend = Backend(
        Start(::sources, backendFolder(), { GradPeekBundle.locale }, pool),
        pool,
        AppExecutorUtil.createBoundedApplicationPoolExecutor("GradPeek", pool, 1),
        Ide(),
    )

    /** Watches a session from now on. */
    fun watch(session: XDebugSession) = SessionListener.listen(session, backend.stops, parent = this)

    /** The session is over, even where its listeners were not told. */
    fun ended(session: XDebugSession) = backend.stops.ended(session)

    /** The user has turned to that session. */
    fun selected(session: XDebugSession) = backend.stops.selected(session)

    override fun dispose() = backend.close()

    private fun sources() =
        Sources(setting = "", project = ProjectRootManager.getInstance(project).projectSdk?.homePath)

    private inner class Ide : Shown {
        override val options = Options(
            visible = false,
            console = true,
            order = Order.MODEL,
            hidePlain = false,
            onlyProblems = false,
            callers = false,
        )

        override fun changed(params: Changed) = Unit

        override fun status(params: Status) = Unit

        override fun progress(params: JsonElement) = Unit

        override fun failed(error: ServerUnavailableError) {
            NotificationGroupManager.getInstance()
                .getNotificationGroup("GradPeek")
                .createNotification(
                    GradPeekBundle.message("server.failed.title"),
                    escaped(error.message.orEmpty()),
                    NotificationType.WARNING,
                )
                .notify(project)
        }
    }

    private companion object {
        /** The server lies beside the folder of our jar. What tells a plugin's own path is internal from 262 on. */
        fun backendFolder(): File {
            val jar = PathManager.getJarForClass(GradPeek::class.java)
            return jar?.parent?.resolveSibling("backend")?.toFile() ?: File("backend")
        }

        /** The text as it is: notifications are HTML. */
        fun escaped(text: String) = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    }
}

/** Hands the debug sessions of a project to GradPeek. */
class DebugSessions(private val project: Project) : XDebuggerManagerListener {
    private val gradPeek get() = project.getService(GradPeek::class.java)

    override fun processStarted(debugProcess: XDebugProcess) = gradPeek.watch(debugProcess.session)

    override fun processStopped(debugProcess: XDebugProcess) = gradPeek.ended(debugProcess.session)

    override fun currentSessionChanged(previousSession: XDebugSession?, currentSession: XDebugSession?) {
        currentSession?.let(gradPeek::selected)
    }
}
