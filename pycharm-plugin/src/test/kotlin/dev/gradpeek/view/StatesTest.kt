package dev.gradpeek.view

import com.google.gson.JsonParser
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Tone
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.ServerUnavailableError
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource
import java.awt.event.MouseEvent
import java.awt.image.BufferedImage
import java.io.File
import java.util.Locale
import java.util.Properties
import javax.swing.JButton
import javax.swing.JLabel
import javax.swing.JProgressBar

/** What the panel says where there are no rows, or not those of the present stop. */
@Timeout(60)
class StatesTest {
    private val fixture = PanelFixture()
    private val server = fixture.server
    private val messages get() = fixture.all(MessageLine::class.java).single()
    private val some: Map<String?, List<Node>> = mapOf(null to listOf(node("m", "model")))

    private val empty get() = onEdt { fixture.tree.emptyText.toString().replace(Regex("\\s+"), " ") }

    @AfterEach
    fun close() {
        fixture.close()
        speak(Locale.ENGLISH)
    }

    private fun untilEmpty(words: String) = fixture.until("it does not say: $words") {
        fixture.tree.rowCount == 0 && words in empty
    }

    /** Clicks on the line that has that text. */
    private fun follow(link: String) = onEdt {
        val tree = fixture.tree
        val lines = tree.emptyText.toString().split("\n")
        tree.paint(BufferedImage(tree.width, tree.height, BufferedImage.TYPE_INT_RGB).graphics)
        val height = tree.emptyText.component.preferredSize.height + 2
        val top = (tree.height - lines.size * height) / 3
        val y = top + lines.indexOf(link).also { check(it >= 0) { lines } } * height + height / 2
        val x = tree.width / 2
        val click = MouseEvent(tree, MouseEvent.MOUSE_CLICKED, 0, 0, x, y, 0, 0, 1, false, MouseEvent.BUTTON1)
        tree.mouseListeners.forEach { it.mouseClicked(click) }
    }

    @ParameterizedTest
    @EnumSource(ViewState::class, names = ["SHOWN", "FAILED"], mode = EnumSource.Mode.EXCLUDE)
    fun `every state has its own text, also in Chinese`(state: ViewState) {
        fixture.sessions = 0
        server.state = state
        fixture.show()
        val key = "empty.${state.name.lowercase()}"
        untilEmpty(text(key, ""))
        speak(Locale.SIMPLIFIED_CHINESE)
        fixture.changed()
        fixture.until("it is not Chinese: $empty") {
            // Lines may be broken between any two characters.
            text(key, "_zh_CN").filterNot(Char::isWhitespace) in empty.filterNot(Char::isWhitespace)
        }
    }

    private fun text(key: String, language: String): String {
        val bundle = File(System.getenv("GRADPEEK_TESTS")).resolveSibling("main/resources/messages")
        return Properties().apply { bundle.resolve("GradPeekBundle$language.properties").reader().use(::load) }
            .getProperty(key)
    }

    @Test
    fun `no server is started where no program is debugged or none has stopped`() {
        server.isRunning = false
        fixture.hasStopped = false
        fixture.sessions = 0
        fixture.show()
        untilEmpty("Stop a PyTorch program at a breakpoint")
        fixture.sessions = 1
        fixture.changed()
        untilEmpty("The program runs.")
        assertEquals(emptyList<String>(), server.all)
    }

    @Test
    fun `a server that knows no session yet is not believed where there is one`() {
        server.state = ViewState.NO_SESSION
        fixture.show()
        untilEmpty("The program runs.")
    }

    @Test
    fun `while a server starts, that is said`() {
        server.isRunning = false
        server.holds = setOf("roots")
        server.tree = some
        fixture.show()
        untilEmpty("Starting GradPeek…")
        server.isRunning = true
        server.nextHeld().answer()
        fixture.untilRows("model")
        assertEquals("", onEdt { messages.text })
    }

    @Test
    fun `where a frame has nothing, links lead to its callers and to an expression`() {
        server.state = ViewState.NOTHING
        fixture.show()
        untilEmpty("The selected frame holds no model")
        follow("Look into callers, too")
        follow("Show gradients of expression…")
        assertEquals(listOf("callers", "expression"), fixture.followed.toList())
    }

    @Test
    fun `a server that is gone leaves no rows, but the reason and what can be done`() {
        server.tree = some
        fixture.show()
        fixture.untilRows("model")
        fixture.panel.failed(ServerUnavailableError("<html>The server has ended."))
        untilEmpty("<html>The server has ended. Gradients cannot be shown now.")
        for (link in listOf("Show log", "Open settings…", "Try again")) follow(link)
        assertEquals(listOf("log", "settings", "refresh"), fixture.followed.toList())
        fixture.untilRows("model")
    }

    @Test
    fun `a question that fails says why`() {
        server.failure = ServerUnavailableError("no Python")
        fixture.show()
        untilEmpty("no Python Gradients cannot be shown now.")
    }

    @Test
    fun `what the server says of the rows stands above them`() {
        server.tree = some
        server.message = "Running. These rows are of the last stop."
        fixture.show()
        fixture.untilRows("model")
        assertEquals("Running. These rows are of the last stop.", onEdt { messages.text })
        server.message = null
        fixture.stop(some)
        fixture.until("it stays") { messages.text.isEmpty() }
    }

    @Test
    fun `what is said stands there until the next stop`() {
        server.tree = some
        fixture.show()
        fixture.untilRows("model")
        onEdt { fixture.panel.say("no such name") }
        assertEquals("no such name", onEdt { messages.text })
        fixture.changed()
        fixture.until("nobody asks anew") { server.all.count { it == "roots" } == 2 }
        onEdt { }
        assertEquals("no such name", onEdt { messages.text })
        fixture.stop(some)
        fixture.until("it stays") { messages.text.isEmpty() }
    }

    @Test
    fun `where stops are not looked at by themselves, rows are of the earlier one until the user refreshes`() {
        server.tree = some
        fixture.show()
        fixture.untilRows("model")
        fixture.isAutomatic = false
        val asked = server.all.size
        fixture.stop(mapOf(null to listOf(node("n", "new"))))
        fixture.until("it is not said") { messages.text == "These rows are of an earlier stop." }
        assertFalse(fixture.panel.wantsRows)
        assertEquals(listOf("model"), fixture.lines())
        assertEquals(asked, server.all.size)

        var told = 0
        onEdt {
            fixture.panel.onVisibility = { told++ }
            fixture.panel.refresh()
        }
        assertTrue(fixture.panel.wantsRows)
        assertEquals(1, told)
        fixture.untilRows("new")
        assertEquals("", onEdt { messages.text })
        fixture.stops++
        assertFalse(fixture.panel.wantsRows)
    }

    @Test
    fun `where nothing has been looked at yet, a link does it`() {
        fixture.isAutomatic = false
        server.tree = some
        fixture.show()
        untilEmpty("Stops are not looked at by themselves")
        follow("Refresh")
        fixture.untilRows("model")
    }

    @Test
    fun `where nothing is debugged any more, that is said, not that the user may refresh`() {
        fixture.isAutomatic = false
        fixture.sessions = 0
        server.state = ViewState.NO_SESSION
        fixture.show()
        untilEmpty("Stop a PyTorch program at a breakpoint")
    }

    @ParameterizedTest
    @ValueSource(ints = [220, 420, 900])
    fun `no line of the text is wider than the view`(width: Int) {
        onEdt { fixture.panel.setSize(width, 600) }
        server.state = ViewState.NOTHING
        fixture.show()
        untilEmpty("The selected frame holds no model")
        val metrics = onEdt { fixture.tree.getFontMetrics(fixture.tree.font) }
        val lines = onEdt { fixture.tree.emptyText.toString().split("\n") }
        val visible = onEdt { fixture.tree.visibleRect.width }
        assertTrue(lines.dropLast(2).all { metrics.stringWidth(it) <= visible }, "$lines")
    }

    @Test
    fun `work that lasts is shown with its progress, and can be cancelled where the server says so`() {
        val bar = fixture.all(JProgressBar::class.java).single()
        val line = fixture.all(ProgressLine::class.java).single()
        fun tell(value: String) {
            val params = JsonParser.parseString("""{"token": "t1", "value": $value}""")
            onEdt { fixture.panel.progress(params) }
        }
        tell("""{"kind": "begin", "title": "<html>Reading", "cancellable": true, "percentage": 0}""")
        assertTrue(onEdt { line.isVisible })
        tell("""{"kind": "report", "message": "3 of 4", "percentage": 75}""")
        assertEquals(75, onEdt { bar.value })
        val label = fixture.all(JLabel::class.java).single { it.parent === line }
        assertEquals("<html>Reading: 3 of 4", label.text)
        assertEquals(null, label.getClientProperty("html"))
        onEdt { fixture.all(JButton::class.java).single { it.parent === line }.doClick() }
        assertEquals("cancel \"t1\"", fixture.followed.single())
        tell("""{"kind": "end"}""")
        assertFalse(onEdt { line.isVisible })
        onEdt { fixture.panel.progress(JsonParser.parseString("[]")) }
        assertFalse(onEdt { line.isVisible })
    }

    @Test
    fun `the status line has the colour of its tone, and is not there without a text`() {
        val line = fixture.all(StatusLine::class.java).single()
        onEdt { fixture.panel.status(Status("∇ 3.1 · NaN", "<b>model</b>", Tone.ERROR)) }
        assertEquals("∇ 3.1 · NaN", line.text)
        assertEquals(Colors.ERROR, line.foreground)
        assertEquals("<html>&lt;b&gt;model&lt;/b&gt;</html>", line.toolTipText)
        onEdt { fixture.panel.status(Status(null, "", Tone.NORMAL)) }
        assertFalse(line.isVisible)
    }
}
