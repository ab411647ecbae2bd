package dev.gradpeek.view

import dev.gradpeek.protocol.Node
import javax.swing.JTree
import javax.swing.tree.DefaultTreeModel
import javax.swing.tree.TreePath

/** How many rows that have gone are remembered. */
private const val REMEMBERED = 20_000

/**
 * The rows of the tree by the ids of their nodes.
 *
 * Rows stay the same objects from stop to stop and the model tells of nothing but what has changed, so that
 * what is unfolded, selected and in sight stays so. Whether a row that has gone was unfolded is remembered
 * for when it comes back. On the EDT only.
 */
internal class Rows {
    /** Stands above the top; not seen. */
    val root = Row(null)

    /** What the tree shows. */
    val model = DefaultTreeModel(root, true)
    private val byId = HashMap<String, Row>()
    private val wereUnfolded = object : LinkedHashMap<String, Boolean>() {
        override fun removeEldestEntry(eldest: Map.Entry<String, Boolean>) = size > REMEMBERED
    }

    /** The row of that id, where there is one. */
    operator fun get(id: String): Row? = byId[id]

    /**
     * Takes what the server says is below a row, and returns the rows among them that were not there before
     * and are to be unfolded.
     */
    fun put(parent: Row, nodes: List<Node>, tree: JTree): List<Row> {
        val fresh = nodes.distinctBy { it.id }.filterNot { isAbove(it.id, parent) }
        val moved = fresh.mapNotNull { byId[it.id] }.filter { it.parent !== parent }
        val unfolded = moved.flatMap { unfoldedBelow(it, tree) }.toMutableList()
        moved.forEach(model::removeNodeFromParent)

        val ids = fresh.mapTo(HashSet()) { it.id }
        remove(parent, parent.rows.filter { it.node!!.id !in ids }, tree)

        val order = fresh.map { byId[it.id] ?: Row(it) }
        val kept = parent.rows
        if (kept != order.filter { it.parent === parent }) {
            unfolded += kept.flatMap { unfoldedBelow(it, tree) }
            reorder(parent, kept, order, tree)
        }
        update(kept, fresh, tree)
        val added = insert(parent, order, fresh)
        unfolded.forEach { if (byId[it.node!!.id] === it) tree.expandPath(it.treePath) }
        return added.filter { row ->
            val node = row.node!!
            node.expandable && (wereUnfolded.remove(node.id) ?: node.expanded)
        }
    }

    private fun isAbove(id: String, row: Row) = byId[id]?.let(row::isNodeAncestor) ?: false

    private fun remove(parent: Row, gone: List<Row>, tree: JTree) {
        if (gone.isEmpty()) return
        gone.forEach { forget(it, tree) }
        val places = places(parent, gone)
        val removed = places.map { parent.getChildAt(it) }
        for (place in places.reversed()) parent.remove(place)
        model.nodesWereRemoved(parent, places, removed.toTypedArray())
    }

    private fun forget(row: Row, tree: JTree) {
        val node = row.node!!
        byId.remove(node.id)
        if (node.expandable && row.asked != Row.NEVER) wereUnfolded[node.id] = tree.isExpanded(row.treePath)
        row.rows.forEach { forget(it, tree) }
    }

    /** The same rows in another order, which a model can only tell as new ones: what is selected is kept. */
    private fun reorder(parent: Row, kept: List<Row>, order: List<Row>, tree: JTree) {
        val selected = tree.selectionPaths.orEmpty().filter { (it.lastPathComponent as Row).isNodeAncestor(parent) }
        val sorted = order.filter { it.parent === parent }
        val places = IntArray(kept.size) { it }
        parent.removeAllChildren()
        model.nodesWereRemoved(parent, places, kept.toTypedArray())
        sorted.forEach(parent::add)
        model.nodesWereInserted(parent, places)
        if (selected.isNotEmpty()) tree.addSelectionPaths(selected.toTypedArray())
    }

    private fun update(kept: List<Row>, fresh: List<Node>, tree: JTree) {
        val nodes = fresh.associateBy { it.id }
        val changed = kept.filter { row ->
            val node = nodes.getValue(row.node!!.id)
            (row.node != node).also { if (it) row.take(node, tree) }
        }
        if (changed.isEmpty()) return
        val parent = changed.first().parent!!
        model.nodesChanged(parent, places(parent, changed))
    }

    private fun Row.take(node: Node, tree: JTree) {
        if (allowsChildren && !node.expandable) {
            remove(this, rows, tree)
            asked = Row.NEVER
        }
        userObject = node
        allowsChildren = node.expandable
    }

    private fun insert(parent: Row, order: List<Row>, fresh: List<Node>): List<Row> {
        val places = order.indices.filter { order[it].parent !== parent }
        val added = places.map { order[it] }
        for (place in places) {
            val row = order[place]
            row.userObject = fresh[place]
            row.allowsChildren = fresh[place].expandable
            parent.insert(row, place)
        }
        if (places.isNotEmpty()) model.nodesWereInserted(parent, places.toIntArray())
        return added.filter { byId.put(it.node!!.id, it) == null }
    }

    private fun unfoldedBelow(row: Row, tree: JTree): List<Row> =
        if (tree.isExpanded(row.treePath)) listOf(row) + row.rows.flatMap { unfoldedBelow(it, tree) } else emptyList()

    /** Where those rows are below their parent, in order. */
    private fun places(parent: Row, rows: List<Row>): IntArray {
        val wanted = rows.toSet()
        return parent.rows.withIndex().filter { it.value in wanted }.map { it.index }.toIntArray()
    }
}

/** The row at the end of a way. */
internal val TreePath.row: Row get() = lastPathComponent as Row
