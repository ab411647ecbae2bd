package dev.gradpeek.view

import com.intellij.ui.JBColor
import java.awt.BasicStroke
import java.awt.Color
import java.awt.Component
import java.awt.Font
import java.awt.Graphics
import java.awt.Graphics2D
import java.awt.RenderingHints
import java.awt.geom.Path2D
import javax.swing.Icon
import javax.swing.UIManager
import javax.swing.plaf.ColorUIResource
import javax.swing.plaf.FontUIResource
import javax.swing.plaf.metal.MetalLookAndFeel

/** The colours of the IDE's new light and dark theme, in a look and feel that is here. */
enum class Theme(val isDark: Boolean, val background: Int, val text: Int, val selection: Int) {
    LIGHT(false, 0xFFFFFF, 0x000000, 0xDFE1E5),
    DARK(true, 0x2B2D30, 0xDFE1E5, 0x43454A);

    /** Makes what is built from now on look so. */
    fun install() {
        UIManager.setLookAndFeel(MetalLookAndFeel())
        UIManager.put("swing.boldMetal", false)
        JBColor.setDark(isDark)
        val font = FontUIResource(Font(Font.DIALOG, Font.PLAIN, SIZE))
        for (key in UIManager.getLookAndFeelDefaults().keys.filter { "$it".endsWith(".font") }) UIManager.put(key, font)
        for (of in COLOURED) {
            UIManager.put("$of.background", ColorUIResource(background))
            UIManager.put("$of.foreground", ColorUIResource(text))
        }
        UIManager.put("Tree.textForeground", ColorUIResource(text))
        UIManager.put("Tree.selectionBackground", ColorUIResource(selection))
        UIManager.put("Tree.selectionInactiveBackground", ColorUIResource(selection))
        UIManager.put("TextField.caretForeground", ColorUIResource(text))
        UIManager.put("Tree.paintLines", false)
        UIManager.put("Tree.rowHeight", ROW)
        UIManager.put("Tree.expandedIcon", Chevron(this, isOpen = true))
        UIManager.put("Tree.collapsedIcon", Chevron(this, isOpen = false))
        UIManager.put("Tree.leftChildIndent", 7)
        UIManager.put("Tree.rightChildIndent", 11)
        UIManager.put("ProgressBar.foreground", ColorUIResource(0x3574F0))
        UIManager.put("ProgressBar.background", ColorUIResource(selection))
    }

    companion object {
        private val COLOURED =
            listOf("Tree", "Panel", "Viewport", "ScrollPane", "TextPane", "TextArea", "Label", "Button", "TextField")
        const val SIZE = 13
        const val ROW = 24

        /** Undoes it. */
        fun uninstall() {
            for (key in UIManager.getDefaults().keys.toList()) UIManager.put(key, null)
            UIManager.setLookAndFeel(MetalLookAndFeel())
            JBColor.setDark(false)
        }
    }
}

private class Chevron(private val theme: Theme, private val isOpen: Boolean) : Icon {
    override fun getIconWidth() = 16

    override fun getIconHeight() = 16

    override fun paintIcon(component: Component?, graphics: Graphics, x: Int, y: Int) {
        val canvas = graphics.create() as Graphics2D
        canvas.translate(x, y)
        canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON)
        canvas.color = Color(if (theme.isDark) 0xB4B8BF else 0x818594)
        canvas.stroke = BasicStroke(1.2f)
        val arrow = Path2D.Double()
        if (isOpen) {
            arrow.moveTo(4.5, 6.5)
            arrow.lineTo(8.0, 10.0)
            arrow.lineTo(11.5, 6.5)
        } else {
            arrow.moveTo(6.5, 4.5)
            arrow.lineTo(10.0, 8.0)
            arrow.lineTo(6.5, 11.5)
        }
        canvas.draw(arrow)
        canvas.dispose()
    }
}
