package dev.gradpeek.view

import java.awt.Point
import javax.swing.JTree
import javax.swing.JViewport
import javax.swing.SwingUtilities

/** What of the tree can be seen. On the EDT only. */
internal class Sight(private val tree: JTree, private val root: Row) {
    /** A row and how far below the upper edge it is, in pixels. */
    class Place(val row: Row, val below: Int)

    private val viewport get() = SwingUtilities.getAncestorOfClass(JViewport::class.java, tree) as JViewport?

    /** The unfolded rows of which a row below, or the row itself, is in sight; the root is one of them. */
    fun unfolded(): Set<Row> {
        val found = linkedSetOf(root)
        val count = tree.rowCount
        if (count == 0) return found
        val visible = tree.visibleRect
        // Before it is laid out nobody knows.
        val first = if (visible.isEmpty) 0 else tree.getClosestRowForLocation(0, visible.y)
        val last = if (visible.isEmpty) count - 1 else tree.getClosestRowForLocation(0, visible.y + visible.height)
        for (place in first..last) {
            val path = tree.getPathForRow(place) ?: continue
            val row = path.row
            if (row.allowsChildren && tree.isExpanded(path)) found.add(row)
            var above = row.parent
            while (above != null && found.add(above)) above = above.parent
        }
        return found
    }

    /** The uppermost row in sight; null while the tree begins at its top. */
    fun place(): Place? {
        val top = viewport?.viewPosition?.y ?: 0
        if (top == 0) return null
        val path = tree.getClosestPathForLocation(0, top) ?: return null
        return Place(path.row, tree.getPathBounds(path)!!.y - top)
    }

    /** Scrolls so that the row is there again; to the top for null. */
    fun show(place: Place?) {
        val viewport = viewport ?: return
        val y = if (place == null) 0 else (tree.getPathBounds(place.row.treePath)?.y ?: return) - place.below
        if (y == viewport.viewPosition.y) return
        viewport.viewSize = tree.preferredSize
        val last = (viewport.viewSize.height - viewport.extentSize.height).coerceAtLeast(0)
        viewport.viewPosition = Point(viewport.viewPosition.x, y.coerceIn(0, last))
    }

    /** Does what changes rows, and leaves those that are in sight where they are. */
    fun <T> kept(change: () -> T): T {
        val place = place()
        return change().also { if (place != null) show(place) }
    }
}
