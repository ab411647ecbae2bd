package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionUpdateThread
import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.project.DumbAwareAction
import com.intellij.openapi.project.Project
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebuggerManager
import dev.gradpeek.GradPeek
import dev.gradpeek.debug.debuggerOf

/** How an action finds what it acts on. */
internal typealias Find = (Project) -> Commands

/** GradPeek in a project. */
internal fun gradPeekIn(project: Project): Commands = project.getService(GradPeek::class.java)

/** An action of GradPeek in a project. */
internal abstract class ProjectAction(private val find: Find) : DumbAwareAction() {
    override fun getActionUpdateThread() = ActionUpdateThread.BGT

    override fun update(e: AnActionEvent) {
        e.presentation.isEnabledAndVisible = e.project != null
    }

    override fun actionPerformed(e: AnActionEvent) {
        e.project?.let { perform(find(it), e) }
    }

    protected abstract fun perform(commands: Commands, event: AnActionEvent)
}

/** The debug session of the row or window that an action is invoked on, else the current one. */
internal fun sessionOf(event: AnActionEvent): XDebugSession? =
    event.getData(XDebugSession.DATA_KEY)
        ?: event.project?.let { XDebuggerManager.getInstance(it).currentSession }

/** Whether the session of an event is a Python program that has stopped. */
internal fun isAtPythonStop(event: AnActionEvent): Boolean {
    val session = sessionOf(event) ?: return false
    return session.isSuspended && debuggerOf(session) == "python"
}
