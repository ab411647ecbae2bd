package dev.gradpeek.view

import com.intellij.util.ui.JBUI
import dev.gradpeek.protocol.Status
import javax.swing.JLabel

/** One line about the selected session; not seen while there is nothing to say. On the EDT only. */
internal class StatusLine : JLabel() {
    init {
        border = JBUI.Borders.empty(3, 8)
        isVisible = false
        putClientProperty("html.disable", true)
    }

    /** Shows what the server says. */
    fun show(status: Status) {
        isVisible = status.text != null
        text = status.text.orEmpty()
        toolTipText = status.tooltip.takeIf(String::isNotEmpty)?.let(::plain)
        foreground = Colors.of(status.tone)
    }
}
