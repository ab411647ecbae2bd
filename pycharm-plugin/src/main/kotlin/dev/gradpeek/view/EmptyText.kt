package dev.gradpeek.view

import com.intellij.ui.SimpleTextAttributes
import com.intellij.ui.treeStructure.Tree
import dev.gradpeek.GradPeekBundle.message
import dev.gradpeek.protocol.ViewState
import java.awt.FontMetrics

/** A text on which a click does something. */
internal class Link(val text: String, val follow: () -> Unit)

/** What an empty tree says: why it is empty, and what to do. */
internal class Teaching(val text: String, val links: List<Link> = emptyList())

/** What there is to say for a picture of an empty tree. */
internal fun teaching(picture: Picture, links: Links): Teaching = when (picture) {
    Picture.Starting -> Teaching(message("view.starting"))
    Picture.Behind -> Teaching(message("empty.behind"), listOf(Link(message("link.refresh"), links::refresh)))
    is Picture.Told -> when (picture.state) {
        ViewState.NO_SESSION -> Teaching(message("empty.no_session"))
        ViewState.RUNNING -> Teaching(message("empty.running"))
        ViewState.NO_TORCH -> Teaching(message("empty.no_torch"))
        ViewState.NOT_PYTHON -> Teaching(message("empty.not_python"))
        ViewState.NOTHING -> Teaching(
            message("empty.nothing"),
            listOf(
                Link(message("link.callers"), links::lookIntoCallers),
                Link(message("link.expression"), links::showExpression),
            ),
        )
        ViewState.FAILED -> Teaching(
            listOfNotNull(picture.message, message("empty.failed")).joinToString("\n"),
            listOf(
                Link(message("link.retry"), links::refresh),
                Link(message("link.log"), links::openLog),
                Link(message("link.settings"), links::openSettings),
            ),
        )
        ViewState.SHOWN -> Teaching(picture.message ?: message("empty.shown"))
    }
}

/** Writes it where the rows would be, in lines that are no wider than that. */
internal fun write(teaching: Teaching, tree: Tree, width: Int) {
    val empty = tree.emptyText
    val metrics = tree.getFontMetrics(empty.component.font ?: tree.font)
    empty.clear()
    val faint = SimpleTextAttributes(SimpleTextAttributes.STYLE_PLAIN, Colors.FAINT)
    for (paragraph in teaching.text.lines()) {
        for (line in wrapped(paragraph, metrics, width)) empty.appendLine(line, faint, null)
        empty.appendLine("", faint, null)
    }
    for (link in teaching.links) {
        empty.appendLine(link.text, SimpleTextAttributes.LINK_PLAIN_ATTRIBUTES) { link.follow() }
    }
}

/** The text in lines of at most that many pixels, broken between words, or anywhere in Chinese. */
internal fun wrapped(text: String, metrics: FontMetrics, width: Int): List<String> {
    val lines = ArrayList<String>()
    var line = ""
    for (piece in PIECE.findAll(text).map { it.value }) {
        if (line.isNotBlank() && metrics.stringWidth((line + piece).trimEnd()) > width) {
            lines.add(line.trimEnd())
            line = piece.trimStart()
        } else {
            line += piece
        }
    }
    return lines + line.trimEnd()
}

/** No line begins with the marks that follow a word. */
private val PIECE = Regex("""(?:[\u2E80-\uFFEF]|[^\s\u2E80-\uFFEF]+)[，。；：、？！”）…]*\s*|\s+""")
