package dev.gradpeek.view

import com.intellij.ui.DocumentAdapter
import com.intellij.ui.SearchTextField
import com.intellij.ui.components.ActionLink
import com.intellij.util.ui.JBUI
import dev.gradpeek.GradPeekBundle.message
import java.awt.BorderLayout
import java.awt.event.ActionEvent
import java.awt.event.InputEvent
import java.awt.event.KeyEvent
import javax.accessibility.AccessibleContext
import javax.swing.AbstractAction
import javax.swing.BoxLayout
import javax.swing.JLabel
import javax.swing.JPanel
import javax.swing.KeyStroke
import javax.swing.event.DocumentEvent

/** What the user does in the search bar. */
internal interface Searching {
    fun typed(query: String)

    /** One match on, or back for -1. */
    fun step(by: Int)

    /** Ends the search; the selected row stays so. */
    fun accept()

    /** Ends the search where it began. */
    fun cancel()
}

/** The field that is searched in, how many matches there are, and the way from one to the next. */
internal class SearchBar(private val searching: Searching) : JPanel(BorderLayout(JBUI.scale(6), 0)) {
    private val input = object : SearchTextField(false) {
        // One press of Escape ends the search, whatever has been typed.
        override fun toClearTextOnEscape() = false
    }
    private val count = JLabel()

    /** What has been typed. */
    var query: String
        get() = input.text
        set(value) {
            input.text = value
        }

    /** How many matches there are, in words. */
    var counted: String
        get() = count.text
        set(value) {
            count.text = value
        }

    init {
        border = JBUI.Borders.empty(2, 8)
        isOpaque = false
        isVisible = false
        count.putClientProperty("html.disable", true)
        count.foreground = Colors.FAINT
        val editor = input.textEditor
        editor.toolTipText = message("search.hint")
        editor.putClientProperty(AccessibleContext.ACCESSIBLE_NAME_PROPERTY, message("search.name"))
        input.addDocumentListener(object : DocumentAdapter() {
            override fun textChanged(event: DocumentEvent) = searching.typed(query)
        })
        on(KeyEvent.VK_DOWN) { searching.step(1) }
        on(KeyEvent.VK_UP) { searching.step(-1) }
        on(KeyEvent.VK_F3) { searching.step(1) }
        on(KeyEvent.VK_F3, InputEvent.SHIFT_DOWN_MASK) { searching.step(-1) }
        on(KeyEvent.VK_ENTER) { searching.accept() }
        on(KeyEvent.VK_ESCAPE) { searching.cancel() }
        add(input, BorderLayout.CENTER)
        add(ways(), BorderLayout.EAST)
    }

    private fun ways() = JPanel().apply {
        layout = BoxLayout(this, BoxLayout.X_AXIS)
        isOpaque = false
        add(count)
        add(way("↑", -1, message("search.previous")))
        add(way("↓", 1, message("search.next")))
    }

    private fun way(arrow: String, by: Int, name: String) = ActionLink(arrow) { searching.step(by) }.apply {
        border = JBUI.Borders.empty(0, 6)
        toolTipText = name
        accessibleContext.accessibleName = name
        isFocusable = false
    }

    /** Moves the focus to what is typed. */
    fun focus() {
        input.textEditor.requestFocusInWindow()
        input.textEditor.caretPosition = query.length
    }

    private fun on(key: Int, modifiers: Int = 0, act: () -> Unit) {
        val name = "gradpeek.$key.$modifiers"
        input.textEditor.inputMap.put(KeyStroke.getKeyStroke(key, modifiers), name)
        input.textEditor.actionMap.put(name, object : AbstractAction() {
            override fun actionPerformed(event: ActionEvent) = act()
        })
    }
}
