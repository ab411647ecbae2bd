package dev.gradpeek.view

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.intellij.ui.components.ActionLink
import com.intellij.util.ui.JBUI
import dev.gradpeek.GradPeekBundle.message
import java.awt.BorderLayout
import java.awt.Dimension
import javax.swing.JLabel
import javax.swing.JPanel
import javax.swing.JProgressBar

/**
 * The server's work that lasts, in a thin line: what was begun last. On the EDT only.
 *
 * @param cancel asks the server to leave the work of that token.
 */
internal class ProgressLine(private val cancel: (JsonElement) -> Unit) : JPanel(BorderLayout(JBUI.scale(8), 0)) {
    private class Work(val title: String, val isCancellable: Boolean, var message: String, var percentage: Int?)

    private val works = LinkedHashMap<JsonElement, Work>()
    private val bar = JProgressBar()
    private val label = JLabel()
    private val link = ActionLink(message("link.cancel")) { works.keys.lastOrNull()?.let(cancel) }

    init {
        isOpaque = false
        isVisible = false
        border = JBUI.Borders.empty(2, 8)
        bar.preferredSize = Dimension(0, JBUI.scale(4))
        bar.isBorderPainted = false
        label.putClientProperty("html.disable", true)
        add(bar, BorderLayout.NORTH)
        add(label, BorderLayout.CENTER)
        add(link, BorderLayout.EAST)
    }

    /** Takes the params of a `$/progress` of the Language Server Protocol; passes over what is none. */
    fun take(params: JsonElement) {
        val token = params.member("token") ?: return
        val value = params.member("value") ?: return
        when (value.text("kind")) {
            "begin" -> {
                works.remove(token)
                works[token] = Work(value.text("title").orEmpty(), value.flag("cancellable"), "", null)
                works.getValue(token).report(value)
            }
            "report" -> works[token]?.report(value)
            "end" -> works.remove(token)
        }
        draw()
    }

    /** Ends all: the server is gone. */
    fun clear() {
        works.clear()
        draw()
    }

    private fun Work.report(value: JsonElement) {
        message = value.text("message") ?: message
        percentage = value.number("percentage")?.coerceIn(percentage ?: 0, PERCENT) ?: percentage
    }

    private fun draw() {
        val work = works.values.lastOrNull()
        isVisible = work != null
        if (work == null) return
        label.text = listOf(work.title, work.message).filter(String::isNotEmpty).joinToString(": ")
        bar.isIndeterminate = work.percentage == null
        bar.value = work.percentage ?: 0
        link.isVisible = work.isCancellable
        revalidate()
        repaint()
    }

    private companion object {
        const val PERCENT = 100

        fun JsonElement.member(name: String): JsonElement? = (this as? JsonObject)?.get(name)?.takeIf { !it.isJsonNull }

        fun JsonElement.primitive(name: String) = member(name)?.takeIf { it.isJsonPrimitive }?.asJsonPrimitive

        fun JsonElement.text(name: String) = primitive(name)?.takeIf { it.isString }?.asString

        fun JsonElement.flag(name: String) = primitive(name)?.takeIf { it.isBoolean }?.asBoolean ?: false

        fun JsonElement.number(name: String) = primitive(name)?.takeIf { it.isNumber }?.asInt
    }
}
