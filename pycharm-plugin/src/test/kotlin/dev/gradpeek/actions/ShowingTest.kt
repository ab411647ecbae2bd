package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.xdebugger.XExpression
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.XValuePlace
import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.Revealed
import dev.gradpeek.protocol.Text
import dev.gradpeek.server.RefusedError
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.support.TestCommands
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.editor
import dev.gradpeek.support.event
import dev.gradpeek.support.file
import dev.gradpeek.support.node
import dev.gradpeek.support.projectWith
import org.jetbrains.concurrency.Promise
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.util.function.Consumer

private const val SHOW = "gradpeek/show"
private const val EXPRESSION = "gradpeek/expression"

class ShowingTest {
    private val commands = TestCommands()
    private val server = commands.server
    private val done = commands.deeds.done

    /** A row that the debugger names so, null for none; it answers when it is told to. */
    private class Named(private val expression: String?) : XValue() {
        private var isAsked: Consumer<in XExpression?>? = null
        private var isRefused: Consumer<in Throwable>? = null

        override fun computePresentation(node: XValueNode, place: XValuePlace) = error("nobody looks")

        override fun calculateEvaluationExpression() = object : Promise<XExpression> {
            override fun onSuccess(handler: Consumer<in XExpression?>) = apply { isAsked = handler }

            override fun onError(rejected: Consumer<in Throwable>) = apply { isRefused = rejected }
        }

        fun answer() = isAsked!!.accept(expression?.let { XExpression { it } })

        fun refuse() = isRefused!!.accept(IllegalStateException("no"))
    }

    private fun shows(path: List<String> = listOf("model"), message: String? = null) {
        server.answers[SHOW] = Revealed(path.map { node(it) }, message)
    }

    private fun shown(expression: String) = """$SHOW {"session":null,"expression":"$expression"}"""

    @Test
    fun `a row's expression is pinned in the tool window, once the debugger has named it`() {
        shows(listOf("model", "model.fc"))
        val value = Named("model.fc")
        val session = TestSession()
        ShowGradientsAction({ commands }) { value }.actionPerformed(event(projectWith(session)))
        assertEquals(listOf("select train"), done)
        value.answer()
        assertEquals(listOf("select train", "open", "reveal model/model.fc"), done)
        assertEquals(listOf(shown("model.fc")), server.asked)
        // A server that had failed gets another chance.
        assertEquals(1, server.retries)
    }

    @Test
    fun `a row that the debugger has no expression for says so`() {
        val nameless = "inform ${GradPeekBundle.message("show.nameless")}"
        for (value in listOf(Named(null), Named(" "))) commands.showing.show(value).also { value.answer() }
        Named("x").also { commands.showing.show(it) }.refuse()
        assertEquals(List(3) { nameless }, done)
        assertEquals(emptyList<String>(), server.asked)
    }

    @Test
    fun `what the server has to say is said above the tree`() {
        shows(path = emptyList(), message = "NameError: no such name")
        commands.showing.show("x")
        assertEquals(listOf("open", "say NameError: no such name"), done)
    }

    @Test
    fun `a refusal is said in one line, and a server that is not there has said why itself`() {
        server.answers[SHOW] = RefusedError("The program runs.")
        commands.showing.show("x")
        server.answers[SHOW] = ServerUnavailableError("gone")
        commands.showing.show("x")
        assertEquals(listOf("open", "say The program runs.", "open"), done)
    }

    @Test
    fun `in the editor the selection is shown, on one line`() {
        shows()
        inEditor("y = [model.fc](x)")
        inEditor("f([ a,\n   b.c ])")
        assertEquals(listOf("model.fc", "a, b.c").map(::shown), server.asked)
    }

    @Test
    fun `without a selection the server finds the expression at the caret`() {
        shows()
        server.answers[EXPRESSION] = Text("model.fc")
        inEditor("import torch\ny = model.f|c(x)\n")
        val asked = """$EXPRESSION {"line":"y = model.fc(x)","character":11}"""
        assertEquals(listOf(asked, shown("model.fc")), server.asked)
    }

    @Test
    fun `where there is no expression at the caret, one is asked for`() {
        shows()
        server.answers[EXPRESSION] = Text("")
        commands.deeds.answer = " model "
        inEditor("|")
        assertEquals(listOf("ask ", "open", "reveal model"), done)
        assertEquals(shown("model"), server.asked.last())
    }

    private fun inEditor(code: String) {
        val data = arrayOf(CommonDataKeys.EDITOR to editor(code), CommonDataKeys.VIRTUAL_FILE to file("Python"))
        ShowGradientsInEditorAction { commands }.actionPerformed(event(projectWith(TestSession()), *data))
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = ';', nullValues = ["-"],
        value = [
            // selected; at the caret; offered
            "a.b; -; a.b",
            "''; model.fc; model.fc",
            "''; -; ''",
            "-; -; ''",
        ],
    )
    fun `who is asked for an expression is offered what the editor has, also without a server`(
        selected: String?,
        atCaret: String?,
        offered: String,
    ) {
        shows()
        server.answers[EXPRESSION] = atCaret?.let(::Text) ?: ServerUnavailableError("gone")
        commands.code = selected?.let { Code(it, line = "model.fc", column = 2) }
        commands.deeds.answer = "x"
        ShowExpressionAction { commands }.actionPerformed(event(projectWith(TestSession())))
        assertEquals(listOf("ask $offered", "open", "reveal model"), done)
        assertEquals(shown("x"), server.asked.last())
    }

    @Test
    fun `who thinks better of it is shown nothing`() {
        for (answer in listOf(null, " ")) {
            commands.deeds.answer = answer
            commands.showing.ask(code = null)
        }
        assertEquals(listOf("ask ", "ask "), done)
        assertEquals(emptyList<String>(), server.asked)
    }

    @Test
    fun `an empty editor has an empty line`() {
        assertEquals(Code("", "", 0), Code.of(editor("")))
    }
}
