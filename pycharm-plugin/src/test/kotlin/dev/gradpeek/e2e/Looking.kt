package dev.gradpeek.e2e

import dev.gradpeek.protocol.Node
import dev.gradpeek.view.Row
import java.awt.Component
import java.awt.Container
import java.awt.image.BufferedImage
import java.io.File
import javax.accessibility.AccessibleContext
import javax.imageio.ImageIO
import javax.swing.JTextField
import javax.swing.JTextPane
import javax.swing.event.CaretListener

/** Rows that a message has at most. */
private const val MOST = 20

/** Looks at the panel as a user does, and unfolds what is asked for. */
internal class Looking(private val ide: Ide) {
    private val tree = ide.panel.tree

    /** What is drawn of the unfolded rows, the first ones, indented by their depths. */
    fun lines(most: Int = MOST): List<String> = onEdt { (0 until minOf(tree.rowCount, most)).map(::line) }

    /** What is drawn of the last unfolded row. */
    fun lastLine(): String = onEdt { line(tree.rowCount - 1).trim() }

    private fun line(place: Int): String {
        val path = tree.getPathForRow(place)
        val row = path.lastPathComponent as Row
        val isOpen = tree.isExpanded(path)
        val drawn =
            tree.cellRenderer.getTreeCellRendererComponent(tree, row, false, isOpen, row.isLeaf, place, false)
        return "  ".repeat(path.pathCount - 2) + drawn
    }

    /** The row at the end of a path of labels once its line has those words and is of the present stop. */
    fun at(vararg path: String, words: Regex = Regex("")): Node = ide.edt.until(
        { "No row ${path.toList()} with $words, but\n${picture()}" },
    ) {
        ide.panel.validate()
        row(path)?.node?.takeIf { words in text(it) && !it.stale }
    }

    fun at(vararg path: String, words: String): Node = at(*path, words = Regex(words))

    /** Something about the panel that is there after some event. */
    fun <T : Any> until(what: String, look: () -> T?): T =
        ide.edt.until({ "$what, but\n${picture()}" }, look)

    private fun picture() = (lines() + "${tree.emptyText}").joinToString("\n")

    /** Waits until the empty tree says that. */
    fun saysInstead(words: String) = until("The tree does not say \"$words\"") {
        ide.panel.validate()
        true.takeIf { tree.isEmpty && words in "${tree.emptyText}".replace('\n', ' ') }
    }

    /** Selects that row, and waits for those words in the statistics. */
    fun statistics(vararg path: String, words: String): String {
        onEdt { tree.selectionPath = row(path)!!.treePath }
        return until("No $words in the statistics") { pane().text.takeIf { words in it } }
    }

    /** The row, with what is above it unfolded and in sight; null where it is not there. On the EDT. */
    fun row(path: Array<out String>): Row? {
        var row = tree.model.root as Row
        for ((depth, label) in path.withIndex()) {
            if (depth > 0) tree.expandPath(row.treePath)
            row = row.rows.find { it.node!!.label == label } ?: return null
        }
        tree.scrollPathToVisible(row.treePath)
        return row
    }

    /** Saves a picture of the panel in build/pycharm. */
    fun paint(name: String) = onEdt {
        ide.panel.validate()
        val image = BufferedImage(2 * ide.panel.width, 2 * ide.panel.height, BufferedImage.TYPE_INT_RGB)
        val canvas = image.createGraphics()
        canvas.scale(2.0, 2.0)
        ide.panel.paint(canvas)
        canvas.dispose()
        val folder = File(System.getenv("GRADPEEK_TESTS")).resolve("../../../build/pycharm").normalize()
        folder.mkdirs()
        ImageIO.write(image, "png", folder.resolve("$name.png"))
    }

    /** Types words to search for. */
    fun search(words: String) = onEdt {
        ide.panel.search()
        val field = below(ide.panel).filterIsInstance<JTextField>().single()
        // A screen reader would ask where on the screen the caret is, and here is none.
        field.caretListeners.filterIsInstance<AccessibleContext>().forEach {
            field.removeCaretListener(it as CaretListener)
        }
        field.text = words
    }

    private fun pane(): JTextPane = below(ide.panel).filterIsInstance<JTextPane>().single()

    private fun below(of: Component): List<Component> =
        listOf(of) + if (of is Container) of.components.flatMap(::below) else emptyList()

    private fun text(node: Node) = (listOf(node.label) + node.cells.map { it.text }).joinToString("  ")
}
