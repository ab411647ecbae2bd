package dev.gradpeek.view

import com.intellij.openapi.util.IconLoader
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeKind
import java.awt.Component
import java.awt.Graphics
import javax.swing.Icon

/** The icons of the rows, each with a variant for dark themes. */
internal object Icons {
    private val PIN = load("pin")
    private val KINDS = NodeKind.entries.associateWith { load(it.name.lowercase()) }
    private val PINNED = KINDS.mapValues { (_, icon) -> Beside(icon, PIN) }

    /** The icon of a node, with a pin beside it where it is pinned. */
    fun of(node: Node): Icon = (if (node.pinned) PINNED else KINDS).getValue(node.kind)

    private fun load(name: String) = IconLoader.getIcon("/icons/$name.svg", Icons::class.java)
}

/** Two icons, one beside the other. */
private class Beside(private val left: Icon, private val right: Icon) : Icon {
    override fun getIconWidth() = left.iconWidth + right.iconWidth

    override fun getIconHeight() = maxOf(left.iconHeight, right.iconHeight)

    override fun paintIcon(component: Component?, graphics: Graphics, x: Int, y: Int) {
        left.paintIcon(component, graphics, x, y)
        right.paintIcon(component, graphics, x + left.iconWidth, y)
    }
}
