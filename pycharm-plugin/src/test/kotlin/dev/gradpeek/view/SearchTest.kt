package dev.gradpeek.view

import dev.gradpeek.protocol.Node
import dev.gradpeek.server.ServerUnavailableError
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.awt.event.ActionEvent
import java.awt.event.KeyEvent
import javax.swing.JTextField
import javax.swing.KeyStroke

/** Search over all rows, also those that the tree has never loaded. */
@Timeout(60)
class SearchTest {
    private val fixture = PanelFixture()
    private val server = fixture.server
    private val field get() = fixture.all(JTextField::class.java).single()
    private val bar get() = fixture.all(SearchBar::class.java).single()

    private val tree: Map<String?, List<Node>> = mapOf(
        null to listOf(node("m", "model", expandable = true)),
        "m" to listOf(node("e", "encoder", expandable = true), node("d", "decoder", expandable = true)),
        "e" to listOf(node("e.w", "weight"), node("e.b", "bias")),
        "d" to listOf(node("d.w", "weight")),
    )

    @AfterEach
    fun close() = fixture.close()

    private fun begin() {
        server.tree = tree
        fixture.show()
        fixture.untilRows("model")
    }

    private fun type(text: String) = onEdt { field.text = text }

    private fun press(key: Int, modifiers: Int = 0) = onEdt {
        val action = field.actionMap[field.inputMap[KeyStroke.getKeyStroke(key, modifiers)]]
        action.actionPerformed(ActionEvent(field, 0, ""))
    }

    private fun untilAt(id: String, counted: String) =
        fixture.until("it is not at $id") { fixture.panel.selected?.id == id && bar.counted == counted }

    @Test
    fun `the first match is revealed, though none of the rows above it was ever unfolded`() {
        begin()
        onEdt { fixture.panel.search() }
        type("weight")
        untilAt("e.w", "1 of 2")
        assertEquals(listOf("model", "  encoder", "    weight", "    bias", "  decoder"), fixture.lines())
        assertTrue("search weight 200" in server.all)
    }

    @Test
    fun `up and down walk through the matches, and round at their ends`() {
        begin()
        onEdt { fixture.panel.search() }
        type("weight")
        untilAt("e.w", "1 of 2")
        press(KeyEvent.VK_DOWN)
        untilAt("d.w", "2 of 2")
        press(KeyEvent.VK_DOWN)
        untilAt("e.w", "1 of 2")
        press(KeyEvent.VK_UP)
        untilAt("d.w", "2 of 2")
        press(KeyEvent.VK_F3)
        untilAt("e.w", "1 of 2")
    }

    @Test
    fun `what is typed in the tree begins a search with it`() {
        begin()
        onEdt {
            val typed = KeyEvent(fixture.tree, KeyEvent.KEY_TYPED, 0, 0, KeyEvent.VK_UNDEFINED, 'b')
            fixture.tree.keyListeners.forEach { it.keyTyped(typed) }
        }
        assertTrue(bar.isVisible)
        assertEquals("b", field.text)
        untilAt("e.b", "1 of 1")
    }

    @Test
    fun `enter keeps the match selected, escape goes back to where the search began`() {
        begin()
        fixture.select("model")
        onEdt { fixture.panel.search() }
        type("bias")
        untilAt("e.b", "1 of 1")
        press(KeyEvent.VK_ESCAPE)
        assertEquals("m", onEdt { fixture.panel.selected!!.id })
        assertFalse(bar.isVisible)

        onEdt { fixture.panel.search() }
        type("bias")
        untilAt("e.b", "1 of 1")
        press(KeyEvent.VK_ENTER)
        assertEquals("e.b", onEdt { fixture.panel.selected!!.id })
        assertFalse(bar.isVisible)
    }

    @Test
    fun `an older query is left when more is typed, and its answer does not count`() {
        begin()
        server.holds = setOf("search")
        onEdt { fixture.panel.search() }
        type("weight")
        val old = server.nextHeld()
        type("bias")
        val new = server.nextHeld()
        assertTrue(old.answer.isCancelled)
        new.answer()
        old.answer()
        untilAt("e.b", "1 of 1")
    }

    @Test
    fun `what is not found, and what is found too often, is said`() {
        server.tree = mapOf(null to (1..300).map { node("x$it") })
        fixture.show()
        fixture.until("no rows") { fixture.tree.rowCount == 300 }
        onEdt { fixture.panel.search() }
        type("nowhere")
        fixture.until("it is not said") { bar.counted == "No matches" }
        type("x")
        untilAt("x1", "1 of the first 200, 300 in all")
        press(KeyEvent.VK_UP)
        untilAt("x200", "200 of the first 200, 300 in all")
    }

    @Test
    fun `at the next stop the search stays at its match`() {
        begin()
        onEdt { fixture.panel.search() }
        type("weight")
        untilAt("e.w", "1 of 2")
        press(KeyEvent.VK_DOWN)
        untilAt("d.w", "2 of 2")
        fixture.stop(tree + mapOf("e" to listOf(node("e.b", "bias"))))
        untilAt("d.w", "1 of 1")
    }

    @ParameterizedTest
    @ValueSource(strings = ["search", "reveal"])
    fun `rows that change while a match is looked for do not make it be forgotten`(held: String) {
        begin()
        server.holds = setOf(held)
        onEdt { fixture.panel.search() }
        type("bias")
        val first = server.nextHeld()
        fixture.stop(tree + mapOf(null to tree.getValue(null) + node("x", "extra")))
        fixture.untilRows("model", "extra")
        server.holds = emptySet()
        first.answer()
        untilAt("e.b", "1 of 1")
    }

    @Test
    fun `a server that fails says why in the bar`() {
        begin()
        onEdt { fixture.panel.search() }
        server.failure = ServerUnavailableError("<html>gone")
        type("weight")
        fixture.until("it is not said") { bar.counted == "<html>gone" }
    }
}
