package dev.gradpeek.view

import dev.gradpeek.protocol.Node
import java.awt.Rectangle
import javax.swing.JTree

/** Opens the way to a row, of which the rows above need not be there yet. On the EDT only. */
internal class Reveals(private val tree: JTree, private val rows: Rows, private val source: Source) {
    /** Who knows what is below rows. */
    interface Source {
        /** Whether that is on its way. */
        fun isAsking(row: Row): Boolean

        /** Whether what is there is of an earlier time, or what was on its way has been left. */
        fun isDue(row: Row): Boolean

        fun ask(row: Row)
    }

    private var way: List<Node> = emptyList()
    private var unfolds = false
    private val asked = HashSet<Row>()

    /** Begins with another way; the one before is given up. */
    fun start(path: List<Node>, unfolds: Boolean) {
        way = path
        this.unfolds = unfolds
        asked.clear()
    }

    /** Goes on with what is there by now, and asks for what is not, once unless that is left. */
    fun proceed() {
        if (way.isEmpty()) return
        var above = rows.root
        for (node in way) {
            val row = rows[node.id]?.takeIf { it.parent === above }
            if (row == null) {
                if (source.isAsking(above)) return
                if (asked.add(above) || source.isDue(above)) source.ask(above) else end(above)
                return
            }
            above = row
        }
        end(above)
    }

    private fun end(row: Row) {
        val isFound = row.node?.id == way.last().id
        way = emptyList()
        if (row === rows.root) return
        val path = row.treePath
        tree.expandPath(path.parentPath)
        tree.selectionPath = path
        val bounds = tree.getPathBounds(path) ?: return
        // Its beginning is what is looked for: a long row does not scroll sideways.
        tree.scrollRectToVisible(Rectangle(bounds.x, bounds.y, 1, bounds.height))
        if (isFound && unfolds && row.allowsChildren) tree.expandPath(path)
    }
}
