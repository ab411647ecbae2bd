package dev.gradpeek.view

import com.intellij.ui.ScrollPaneFactory
import com.intellij.util.ui.JBUI
import dev.gradpeek.GradPeekBundle.message
import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Row
import java.awt.Color
import java.awt.FontMetrics
import javax.accessibility.AccessibleContext
import javax.swing.JComponent
import javax.swing.JTextPane
import javax.swing.UIManager
import javax.swing.text.DefaultCaret
import javax.swing.text.SimpleAttributeSet
import javax.swing.text.StyleConstants
import javax.swing.text.TabSet
import javax.swing.text.TabStop

/** A column with a text longer than this is read from the left. */
private const val LONG = 40

/** All that is known of the selected row, as text that can be selected and copied. On the EDT only. */
internal class DetailsPane {
    private var shown: Details? = null
    private var isReady = false
    private var tableWidth = 0
    private val pane: JTextPane = object : JTextPane() {
        override fun updateUI() {
            super.updateUI()
            if (isReady) draw()
        }

        // A table is not broken into lines: it scrolls sideways where it is wider than what is seen.
        override fun getScrollableTracksViewportWidth() =
            (parent?.width ?: 0) >= tableWidth + insets.left + insets.right
    }

    /** What is added to the view. */
    val component: JComponent = ScrollPaneFactory.createScrollPane(pane, true)

    /** What is read there now. */
    val text: String get() = pane.text

    init {
        pane.isEditable = false
        pane.border = JBUI.Borders.empty(6, 8)
        pane.putClientProperty(AccessibleContext.ACCESSIBLE_NAME_PROPERTY, message("details.name"))
        // The text stays where it was scrolled to when its numbers change.
        (pane.caret as? DefaultCaret)?.updatePolicy = DefaultCaret.NEVER_UPDATE
        isReady = true
        draw()
    }

    /** Tells what would be here. */
    fun hint() {
        if (shown == null) return
        shown = null
        draw()
    }

    /** Shows those; what is selected stays so where nothing has changed. */
    fun show(details: Details) {
        if (details == shown) return
        shown = details
        draw()
    }

    private fun draw() {
        clear()
        val details = shown ?: return append(message("details.hint"), style(Colors.FAINT))
        append(details.title, style(isBold = true))
        for (note in details.notes) append("\n$note", style())
        if (details.rows.isNotEmpty()) writeTable(details)
    }

    private fun writeTable(details: Details) {
        val names = Row("", details.columns)
        val metrics = pane.getFontMetrics(UIManager.getFont("Label.font"))
        val tabs = tabs(listOf(names) + details.rows, metrics)
        tableWidth = tabs.second
        val start = pane.document.length
        append("\n" + line(names), style(Colors.FAINT))
        for (row in details.rows) {
            append("\n${row.name}", style(Colors.FAINT))
            append(row.texts.joinToString("") { "\t$it" }, style())
        }
        val table = SimpleAttributeSet()
        StyleConstants.setTabSet(table, tabs.first)
        pane.styledDocument.setParagraphAttributes(start + 1, pane.document.length - start, table, false)
        val first = SimpleAttributeSet()
        StyleConstants.setSpaceAbove(first, metrics.height / 2f)
        pane.styledDocument.setParagraphAttributes(start + 1, 1, first, false)
    }

    private fun line(row: Row) = row.name + row.texts.joinToString("") { "\t$it" }

    /** Where the columns end, or begin where they are read from the left, and how wide all of them are. */
    private fun tabs(rows: List<Row>, metrics: FontMetrics): Pair<TabSet, Int> {
        val gap = JBUI.scale(16)
        var end = rows.maxOf { metrics.stringWidth(it.name) }
        val stops = rows.first().texts.indices.map { column ->
            val texts = rows.map { it.texts.getOrElse(column) { "" } }
            val start = end + gap
            end = start + texts.maxOf(metrics::stringWidth)
            if (texts.any { it.length > LONG }) TabStop(start.toFloat()) else right(end)
        }
        return TabSet(stops.toTypedArray()) to end
    }

    private fun right(end: Int) = TabStop(end.toFloat(), TabStop.ALIGN_RIGHT, TabStop.LEAD_NONE)

    private fun clear() {
        tableWidth = 0
        pane.background = UIManager.getColor("Tree.background")
        pane.text = ""
        pane.styledDocument.setParagraphAttributes(0, 1, SimpleAttributeSet(), true)
    }

    private fun append(text: String, style: SimpleAttributeSet) {
        pane.styledDocument.insertString(pane.document.length, text, style)
    }

    private fun style(color: Color? = null, isBold: Boolean = false) = SimpleAttributeSet().also {
        val font = UIManager.getFont("Label.font")
        StyleConstants.setFontFamily(it, font.family)
        StyleConstants.setFontSize(it, font.size)
        StyleConstants.setForeground(it, color ?: UIManager.getColor("Label.foreground"))
        StyleConstants.setBold(it, isBold)
    }
}
