package dev.gradpeek.view

import com.intellij.ui.components.ActionLink
import com.intellij.util.ui.JBUI
import java.awt.BorderLayout
import java.awt.Dimension
import javax.swing.JPanel
import javax.swing.JTextArea
import javax.swing.UIManager

/** One text with a link after it, in as many lines as it needs; not seen while there is nothing to say. */
internal class MessageLine : JPanel(BorderLayout(JBUI.scale(GAP), 0)) {
    private val area = Area()
    private val end = JPanel(BorderLayout()).apply { isOpaque = false }

    /** What it says now; empty for nothing. */
    val text: String get() = if (isVisible) area.text else ""

    init {
        border = JBUI.Borders.empty(4, MARGIN)
        isOpaque = false
        add(area, BorderLayout.CENTER)
        add(end, BorderLayout.EAST)
        isVisible = false
    }

    /** Says that instead of what it has said; null for nothing. */
    fun say(text: String?, link: Link? = null) {
        isVisible = !text.isNullOrEmpty()
        area.text = text.orEmpty()
        end.removeAll()
        if (link != null) end.add(ActionLink(link.text) { link.follow() }, BorderLayout.NORTH)
        revalidate()
        repaint()
    }

    /** Text that can be selected, and is no HTML whatever it begins with. */
    private inner class Area : JTextArea() {
        init {
            isEditable = false
            isOpaque = false
            lineWrap = true
            wrapStyleWord = true
            border = null
        }

        override fun updateUI() {
            super.updateUI()
            font = UIManager.getFont("Label.font")
            foreground = UIManager.getColor("Label.foreground")
        }

        /** As high as its lines are in the width that there is: its own answer lags behind by a layout. */
        override fun getPreferredSize(): Dimension {
            val metrics = getFontMetrics(font)
            val others = end.preferredSize.width + JBUI.scale(GAP + 2 * MARGIN)
            val there = (this@MessageLine.parent?.width ?: 0) - others
            val lines = if (there > 0) wrapped(text, metrics, there).size else 1
            return Dimension(0, lines * metrics.height)
        }
    }

    private companion object {
        const val GAP = 8
        const val MARGIN = 8
    }
}
