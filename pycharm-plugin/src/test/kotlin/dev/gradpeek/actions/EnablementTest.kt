package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionUpdateThread
import com.intellij.openapi.actionSystem.AnAction
import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.frame.XValue
import dev.gradpeek.protocol.Action
import dev.gradpeek.support.CutValue
import dev.gradpeek.support.TestCommands
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.editor
import dev.gradpeek.support.event
import dev.gradpeek.support.file
import dev.gradpeek.support.frameOf
import dev.gradpeek.support.node
import dev.gradpeek.support.projectWith
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/** Nothing may be asked of the server or of the debuggee to know whether a menu has an entry. */
class EnablementTest {
    private val commands = TestCommands()
    private val value: XValue = CutValue("1")

    private fun session(language: String, state: String): TestSession? = when (state) {
        "none" -> null
        "running" -> TestSession(language)
        else -> TestSession(language).apply { pause(frameOf("1")) }
    }

    private fun isShown(action: AnAction, event: AnActionEvent): Boolean {
        action.update(event)
        assertEquals(emptyList<String>(), commands.server.asked + commands.deeds.done)
        return event.presentation.isEnabledAndVisible
    }

    @ParameterizedTest
    @CsvSource(
        "Python, stopped, true, true", "Python, stopped, false, false", "Python, running, true, false",
        "Python, none, true, false", "Rust, stopped, true, false", "Rust, running, true, false",
    )
    fun `a row of the debugger has Show Gradients only at a stop of Python`(
        language: String,
        state: String,
        isValue: Boolean,
        isShown: Boolean,
    ) {
        val action = ShowGradientsAction({ commands }) { value.takeIf { isValue } }
        assertEquals(isShown, isShown(action, event(projectWith(session(language, state)))))
    }

    @Test
    fun `the session of the row counts before the current one`() {
        val action = ShowGradientsAction({ commands }) { value }
        val running = projectWith(session("Python", "running"))
        val stopped = XDebugSession.DATA_KEY to session("Python", "stopped")!!
        assertTrue(isShown(action, event(running, stopped)))
    }

    @ParameterizedTest
    @CsvSource(
        "Python, stopped, Python, true", "Python, running, Python, false", "Python, none, Python, false",
        "Python, stopped, JSON, false", "Rust, stopped, Python, false",
    )
    fun `the editor has it only where it shows Python at a stop of Python`(
        language: String,
        state: String,
        fileType: String,
        isShown: Boolean,
    ) {
        val action = ShowGradientsInEditorAction { commands }
        val project = projectWith(session(language, state))
        val shown = arrayOf(CommonDataKeys.EDITOR to editor("model|"), CommonDataKeys.VIRTUAL_FILE to file(fileType))
        assertEquals(isShown, isShown(action, event(project, *shown)))
        assertFalse(isShown(action, event(project, shown[1])))
    }

    @Test
    fun `an expression can be asked for at a stop of Python, and the button is there before`() {
        val action = ShowExpressionAction { commands }
        val (before, at) = listOf("running", "stopped").map { event(projectWith(session("Python", it))) }
        assertFalse(isShown(action, before))
        assertTrue(before.presentation.isVisible)
        assertTrue(isShown(action, at))
    }

    @Test
    fun `a row's menu has what the server says that the row has`() {
        val actions = mapOf(
            CopyPathAction { commands } to Action.COPY_PATH,
            CopyExpressionAction { commands } to Action.COPY_EXPRESSION,
            CopyValueAction { commands } to Action.COPY_VALUE,
            AddToWatchAction { commands } to Action.WATCH,
            GoToClassAction { commands } to Action.SOURCE,
            UnpinAction { commands } to Action.UNPIN,
            EvaluateAgainAction { commands } to Action.RERUN,
        )
        assertEquals(Action.entries.toSet(), actions.values.toSet())
        val project = projectWith(session = null)
        for (has in Action.entries) {
            commands.selected = node("0", has)
            val shown = actions.filterKeys { isShown(it, event(project)) }.values
            assertEquals(listOf(has), shown.toList())
        }
        commands.selected = null
        assertTrue(actions.keys.none { isShown(it, event(project)) })
        // The tree is asked for its selection.
        assertTrue(actions.keys.all { it.actionUpdateThread == ActionUpdateThread.EDT })
    }

    @Test
    fun `outside of a project there is nothing`() {
        val actions = listOf(ShowGradientsAction({ commands }) { value }, ShowGradientsInEditorAction { commands }) +
            listOf(ShowExpressionAction { commands }, RefreshAction { commands }, UnpinAction { commands })
        for (action in actions) {
            assertFalse(isShown(action, event(project = null)))
            action.actionPerformed(event(project = null))
        }
        assertEquals(emptyList<String>(), commands.server.asked + commands.deeds.done)
    }
}
