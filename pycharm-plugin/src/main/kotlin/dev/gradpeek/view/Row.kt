package dev.gradpeek.view

import dev.gradpeek.protocol.Node
import javax.swing.tree.DefaultMutableTreeNode
import javax.swing.tree.TreePath

/** One row of the tree; the same one as long as its node keeps its id. The root, which is not seen, has no node. */
internal class Row(node: Node?) : DefaultMutableTreeNode(node, node?.expandable ?: true) {
    /** What the server has said last. */
    val node: Node? get() = userObject as Node?

    /** The rows below it as they are now. */
    val rows: List<Row> get() = (0 until childCount).map { getChildAt(it) as Row }

    /** Which of the changes that the server has told of its children have been asked for; none at first. */
    var asked = NEVER

    /** The way to it from the root. */
    val treePath: TreePath get() = TreePath(path)

    override fun getParent(): Row? = super.getParent() as Row?

    companion object {
        /** Nothing has been asked yet. */
        const val NEVER = -1L
    }
}
