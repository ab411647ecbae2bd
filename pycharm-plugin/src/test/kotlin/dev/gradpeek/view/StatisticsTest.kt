package dev.gradpeek.view

import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Row
import dev.gradpeek.protocol.Style
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import javax.swing.JTextPane
import javax.swing.text.Position

/** The statistics of the selected row. */
@Timeout(60)
class StatisticsTest {
    private val fixture = PanelFixture()
    private val server = fixture.server
    private val pane get() = fixture.all(JTextPane::class.java).single()

    private fun tree(norm: String): Map<String?, List<Node>> = mapOf(
        null to listOf(node("a", cells = listOf(cell("∇ $norm", Style.GRADIENT))), node("b")),
    )

    @AfterEach
    fun close() = fixture.close()

    private fun begin() {
        server.tree = tree("1")
        fixture.show()
        fixture.untilRows("a  ∇ 1", "b")
    }

    private fun untilText(words: String) = fixture.until("not there: $words") { words in pane.text }

    @Test
    fun `without a selected row the pane says what would be there`() {
        begin()
        assertEquals("Select a row to see its statistics.", pane.text)
    }

    @Test
    fun `the selected row's title, notes and numbers can be read and copied`() {
        begin()
        onEdt { fixture.tree.setSelectionRow(0) }
        untilText("About a: ∇ 1")
        assertEquals("a\nAbout a: ∇ 1\n\tdata\tgradient\nnorm\t3.27\t0.366\ncount\t2,400\t2,400", pane.text)
        assertTrue(!pane.isEditable && pane.isFocusable)
        onEdt { pane.selectAll() }
        assertTrue("norm\t3.27" in onEdt { pane.selectedText })
    }

    @Test
    fun `numbers end where their column ends`() {
        begin()
        onEdt { fixture.tree.setSelectionRow(0) }
        untilText("2,400")
        fun endOf(text: String, from: Int = 0) = onEdt {
            val at = pane.document.getText(0, pane.document.length).indexOf(text, from) + text.length
            pane.ui.modelToView2D(pane, at, Position.Bias.Backward).x
        }
        assertEquals(endOf("2,400"), endOf("3.27"), 1.0)
        assertEquals(endOf("2,400"), endOf("data"), 1.0)
        assertEquals(endOf("2,400", pane.text.lastIndexOf("\t")), endOf("0.366"), 1.0)
        assertTrue(endOf("0.366") > endOf("3.27"))
    }

    @Test
    fun `they follow the row from stop to stop, and what was read stays until the new numbers are there`() {
        begin()
        onEdt { fixture.tree.setSelectionRow(0) }
        untilText("About a: ∇ 1")
        server.holds = setOf("details")
        fixture.stop(tree("2"))
        val held = server.nextHeld()
        assertTrue("About a: ∇ 1" in pane.text)
        held.answer()
        untilText("About a: ∇ 2")
    }

    @Test
    fun `the question of the row before is left, and its answer does not count`() {
        begin()
        server.holds = setOf("details")
        onEdt { fixture.tree.setSelectionRow(0) }
        val first = server.nextHeld()
        onEdt { fixture.tree.setSelectionRow(1) }
        val second = server.nextHeld()
        assertTrue(first.answer.isCancelled)
        second.answer()
        untilText("About b")
        first.answer()
        onEdt { }
        assertTrue("About b" in pane.text)
    }

    @Test
    fun `the same numbers once more do not take away what is selected of them`() {
        begin()
        onEdt { fixture.tree.setSelectionRow(0) }
        untilText("About a")
        onEdt { pane.select(0, 7) }
        fixture.stop(tree("1"))
        fixture.until("nobody asks") { server.all.count { it == "details a" } == 2 }
        onEdt { }
        assertEquals("a\nAbout", onEdt { pane.selectedText })
    }

    @Test
    fun `text that looks like HTML is text, and a long value is read from its beginning`() {
        val long = "x".repeat(400)
        val details = Details("<html>t", listOf("<b>n"), listOf("value"), listOf(Row("lr", listOf(long))), "")
        val alone = onEdt { DetailsPane().also { it.show(details) } }
        assertEquals("<html>t\n<b>n\n\tvalue\nlr\t$long", onEdt { alone.text })
    }
}
