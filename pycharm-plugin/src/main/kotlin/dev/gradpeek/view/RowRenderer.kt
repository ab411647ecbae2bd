package dev.gradpeek.view

import com.intellij.openapi.util.text.StringUtil
import com.intellij.ui.ColoredTreeCellRenderer
import com.intellij.ui.SimpleTextAttributes
import dev.gradpeek.protocol.Node
import java.awt.Color
import javax.accessibility.AccessibleContext
import javax.swing.JTree

private const val GAP = "  "

/** What is special of the whole tree as it is drawn now. */
internal interface Drawn {
    /** Words that are searched for; none where no search is open. */
    val words: List<String>

    /** Whether all rows are of an earlier stop, whatever the server has said of them. */
    val isBehind: Boolean
}

/** Draws a row: an icon, the label, and what follows it in the colours of its styles. */
internal class RowRenderer(private val drawn: Drawn) : ColoredTreeCellRenderer() {
    private var spoken = ""

    override fun customizeCellRenderer(
        tree: JTree,
        value: Any?,
        selected: Boolean,
        expanded: Boolean,
        leaf: Boolean,
        row: Int,
        hasFocus: Boolean,
    ) {
        val node = (value as? Row)?.node ?: return
        val isStale = node.stale || drawn.isBehind
        spoken = node.spoken
        icon = Icons.of(node)
        toolTipText = plain(line(node))
        write(node.label, if (isStale) Colors.FAINT else Colors.of(node.tone), isLabel = true)
        for (cell in node.cells) {
            write(GAP, null, isLabel = false)
            write(cell.text, if (isStale) Colors.FAINT else Colors.of(cell.style), isLabel = false)
        }
    }

    private fun write(text: String, color: Color?, isLabel: Boolean) {
        for ((part, isFound) in parts(text, drawn.words)) {
            val style = if (isFound) SimpleTextAttributes.STYLE_SEARCH_MATCH else SimpleTextAttributes.STYLE_PLAIN
            append(part, SimpleTextAttributes(style, color), isLabel)
        }
    }

    override fun getAccessibleContext(): AccessibleContext {
        if (accessibleContext == null) {
            accessibleContext = object : AccessibleColoredTreeCellRenderer() {
                override fun getAccessibleName() = spoken
            }
        }
        return accessibleContext
    }
}

/** A node as one line of text. */
internal fun line(node: Node): String = (listOf(node.label) + node.cells.map { it.text }).joinToString(GAP)

/** The text as a tooltip that shows it letter by letter: the IDE takes tooltips for HTML. */
internal fun plain(text: String): String = "<html>${StringUtil.escapeXmlEntities(text)}</html>"

/** The text in parts, and whether each is one of the words, in any case. */
internal fun parts(text: String, words: List<String>): List<Pair<String, Boolean>> {
    val isFound = BooleanArray(text.length)
    for (word in words.filter(String::isNotEmpty)) {
        var at = text.indexOf(word, ignoreCase = true)
        while (at >= 0) {
            isFound.fill(true, at, at + word.length)
            at = text.indexOf(word, at + word.length, ignoreCase = true)
        }
    }
    val found = ArrayList<Pair<String, Boolean>>()
    var start = 0
    for (end in 1..text.length) {
        if (end == text.length || isFound[end] != isFound[start]) {
            found.add(text.substring(start, end) to isFound[start])
            start = end
        }
    }
    return found
}
