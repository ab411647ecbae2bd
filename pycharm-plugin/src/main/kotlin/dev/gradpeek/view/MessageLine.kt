package dev.gradpeek.view

import com.intellij.ui.components.ActionLink
import com.intellij.util.ui.JBUI
import java.awt.BorderLayout
import java.awt.Dimension
import javax.swing.JPanel
import javax.swing.JTextArea
import javax.swing.UIManager

/** One line of text with a link after it, in as many lines as it needs; not seen while there is nothing to say. */
internal class MessageLine : JPanel(BorderLayout(JBUI.scale(8), 0)) {
    private val area = object : JTextArea() {
        // Else it would never become narrower again.
        override fun getMinimumSize() = Dimension(0, super.getMinimumSize().height)
    }
    private val end = JPanel(BorderLayout()).apply { isOpaque = false }

    /** What it says now; empty for nothing. */
    val text: String get() = if (isVisible) area.text else ""

    init {
        border = JBUI.Borders.empty(4, 8)
        isOpaque = false
        area.isEditable = false
        area.isOpaque = false
        area.lineWrap = true
        area.wrapStyleWord = true
        area.border = null
        area.font = UIManager.getFont("Label.font")
        add(area, BorderLayout.CENTER)
        add(end, BorderLayout.EAST)
        isVisible = false
    }

    /** Says that instead of what it has said; null for nothing. */
    fun say(text: String?, link: Link? = null) {
        isVisible = !text.isNullOrEmpty()
        area.text = text.orEmpty()
        area.foreground = UIManager.getColor("Label.foreground")
        end.removeAll()
        if (link != null) end.add(ActionLink(link.text) { link.follow() }, BorderLayout.NORTH)
        revalidate()
        repaint()
    }
}
