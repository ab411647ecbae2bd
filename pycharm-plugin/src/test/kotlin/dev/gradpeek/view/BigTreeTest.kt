package dev.gradpeek.view

import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Style
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.awt.Rectangle
import java.awt.image.BufferedImage
import javax.swing.JViewport
import javax.swing.SwingUtilities
import javax.swing.tree.TreeCellRenderer

private const val BUCKET = 500
private const val ROWS = 20_000

/** 20,000 rows, all unfolded: what is out of sight costs nothing. */
@Timeout(120)
class BigTreeTest {
    private val fixture = PanelFixture()
    private val server = fixture.server
    private val tree get() = fixture.tree
    private var drawn = 0

    private fun big(norm: String): Map<String?, List<Node>> {
        val buckets = (0 until ROWS / BUCKET).map { node("b$it", "[$it]", expandable = true, expanded = true) }
        return mapOf<String?, List<Node>>(null to buckets) + buckets.associate { bucket ->
            bucket.id to (0 until BUCKET).map {
                node("${bucket.id}.$it", "weight$it", cells = listOf(cell("∇ $norm", Style.GRADIENT)))
            }
        }
    }

    @AfterEach
    fun close() = fixture.close()

    /** Unfolds everything as a user does who scrolls through it. */
    private fun begin(isLarge: Boolean) {
        server.tree = big("1")
        fixture.show()
        onEdt { tree.isLargeModel = isLarge }
        fixture.until("not all rows are there") {
            tree.scrollRectToVisible(Rectangle(0, tree.preferredSize.height - 1, 1, 1))
            tree.rowCount == ROWS + ROWS / BUCKET
        }
        onEdt {
            val inner = tree.cellRenderer
            tree.cellRenderer = TreeCellRenderer { shown, value, selected, expanded, leaf, row, focus ->
                drawn++
                inner.getTreeCellRendererComponent(shown, value, selected, expanded, leaf, row, focus)
            }
            paint() // may measure once
        }
    }

    private val viewport get() = SwingUtilities.getAncestorOfClass(JViewport::class.java, tree) as JViewport

    private fun paint() {
        val image = BufferedImage(viewport.width, viewport.height, BufferedImage.TYPE_INT_RGB)
        image.createGraphics().also(viewport::paint).dispose()
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun `scrolling draws the rows in sight, wherever they are`(isLarge: Boolean) {
        begin(isLarge)
        val inSight = onEdt { viewport.height / tree.rowHeight + 2 }
        for (place in listOf(0, ROWS / 3, ROWS / 2, ROWS)) {
            val calls = onEdt {
                tree.scrollRowToVisible(place)
                drawn = 0
                paint()
                drawn
            }
            // Each may be measured and drawn.
            assertTrue(calls in 1..3 * inSight, "$calls rows drawn for $inSight in sight")
        }
    }

    @Test
    fun `a stop asks for what is in sight, and changes those rows only`() {
        begin(isLarge = true)
        onEdt { tree.scrollRowToVisible(0) }
        val asked = server.all.size
        val told = ModelEvents(fixture)
        fixture.stop(big("2"))
        fixture.until("the numbers are old") { line(tree.getPathForRow(1).row.node!!).endsWith("∇ 2") }
        onEdt { paint() }
        assertEquals(listOf("roots", "children b0"), server.all.drop(asked))
        assertEquals(listOf("changed $BUCKET below b0"), told.all)

        onEdt { tree.scrollRectToVisible(tree.getRowBounds(ROWS / 2)) }
        fixture.until("what is scrolled to is old") { line(tree.getPathForRow(ROWS / 2).row.node!!).endsWith("∇ 2") }
        assertTrue(server.all.size - asked <= 5, "${server.all.drop(asked)}")
    }
}
