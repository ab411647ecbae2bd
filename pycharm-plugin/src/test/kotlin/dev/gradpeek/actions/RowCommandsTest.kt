package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.AnAction
import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.Action
import dev.gradpeek.protocol.Done
import dev.gradpeek.protocol.Revealed
import dev.gradpeek.protocol.Source
import dev.gradpeek.protocol.Text
import dev.gradpeek.server.RefusedError
import dev.gradpeek.support.TestCommands
import dev.gradpeek.support.event
import dev.gradpeek.support.node
import dev.gradpeek.support.projectWith
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class RowCommandsTest {
    private val commands = TestCommands()
    private val server = commands.server
    private val done = commands.deeds.done

    init {
        commands.selected = node("fc", *Action.entries.toTypedArray())
    }

    private fun perform(action: AnAction) = action.actionPerformed(event(projectWith(session = null)))

    @Test
    fun `what is copied is what the server gives for it`() {
        server.answers["gradpeek/copy"] = Text("text")
        perform(CopyPathAction { commands })
        perform(CopyExpressionAction { commands })
        perform(CopyValueAction { commands })
        val asked = listOf("path", "expression", "value").map { """gradpeek/copy {"node":"fc","what":"$it"}""" }
        assertEquals(asked, server.asked)
        assertEquals(List(3) { "copy text" }, done)
    }

    @Test
    fun `a class is opened where it is defined, or the server's words say why not`() {
        val action = GoToClassAction { commands }
        server.answers["gradpeek/source"] = Source("/net.py", 7, null)
        perform(action)
        server.answers["gradpeek/source"] = Source(null, 1, "It was typed into a console.")
        perform(action)
        server.answers["gradpeek/source"] = Source(null, 1, null)
        perform(action)
        val nowhere = GradPeekBundle.message("source.nowhere")
        assertEquals(listOf("open /net.py:7", "inform It was typed into a console.", "inform $nowhere"), done)
        assertEquals("""gradpeek/source {"node":"fc"}""", server.asked.first())
    }

    @Test
    fun `a row is watched, or its expression is copied and that is said where the IDE does not let us`() {
        val action = AddToWatchAction { commands }
        perform(action)
        commands.deeds.canWatch = false
        perform(action)
        commands.selected = node("fc", Action.WATCH, expression = null)
        perform(action)
        val copied = GradPeekBundle.message("watch.copied")
        assertEquals(listOf("watch model.fc", "watch model.fc", "copy model.fc", "inform $copied"), done)
    }

    @Test
    fun `a pinned row is taken away or evaluated again, and is in sight then`() {
        server.answers["gradpeek/unpin"] = Done()
        perform(UnpinAction { commands })
        server.answers["gradpeek/rerun"] = Revealed(listOf(node("fc")), "It took a while.")
        perform(EvaluateAgainAction { commands })
        assertEquals(listOf("""gradpeek/unpin {"node":"fc"}""", """gradpeek/rerun {"node":"fc"}"""), server.asked)
        assertEquals(listOf("reveal fc", "say It took a while."), done)
    }

    @Test
    fun `a refusal is said in one line`() {
        server.answers["gradpeek/copy"] = RefusedError("The node is gone.")
        perform(CopyValueAction { commands })
        assertEquals(listOf("say The node is gone."), done)
    }

    @Test
    fun `what a row does not have is not done, whoever asks`() {
        commands.selected = node("fc", Action.COPY_PATH)
        perform(UnpinAction { commands })
        assertEquals(emptyList<String>(), server.asked)
    }

    @Test
    fun `the buttons of the tool window do what they say`() {
        perform(RefreshAction { commands })
        perform(SearchAction { commands })
        perform(CollapseAllAction { commands })
        perform(SettingsAction { commands })
        assertEquals(listOf("refresh", "search", "collapse all", "settings"), done)
    }
}
