package dev.gradpeek.settings

import com.intellij.openapi.ui.TextFieldWithBrowseButton
import dev.gradpeek.GradPeekBundle
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import javax.swing.JCheckBox
import javax.swing.JComponent
import javax.swing.JLabel

class SettingsPageTest {
    private val settings = Settings()
    private val waiting = ArrayList<Runnable>()
    private val page = SettingsPage(settings, { waiting.add(it) }, { it.run() })
    private val form: JComponent = page.createComponent()

    private inline fun <reified C : JComponent> field(name: String) =
        form.components.filterIsInstance<C>().single { it.name == name }

    private val interpreter get() = field<TextFieldWithBrowseButton>("interpreter")

    @Test
    fun `it shows what is set, and knows what differs from it`() {
        settings.change { interpreter = "/python" }
        page.reset()
        assertEquals("/python", interpreter.text)
        assertTrue(field<JCheckBox>("automatic").isSelected && field<JCheckBox>("console").isSelected)
        assertFalse(page.isModified)
        interpreter.setText("")
        assertTrue(page.isModified)
        page.reset()
        assertFalse(page.isModified)
        assertEquals("/python", interpreter.text)
    }

    @Test
    fun `what is applied is set, all at once`(@TempDir folder: File) {
        val python = File(folder, "python").apply { createNewFile() }
        var changes = 0
        settings.onChange { _, _ -> changes++ }
        interpreter.setText(" ${python.path} ")
        field<JCheckBox>("automatic").isSelected = false
        field<JCheckBox>("console").isSelected = false
        page.apply()
        assertEquals(Settings.Values(python.path, isAutomatic = false, hasConsole = false), settings.state)
        assertEquals(1, changes)
        assertFalse(page.isModified)
    }

    @Test
    fun `a path that is no file is said to be none, off the EDT, and a name on PATH is not`() {
        val problem = field<JLabel>("problem")
        interpreter.setText("/no/such/python")
        assertEquals("", problem.text.orEmpty())
        checkNow()
        assertEquals(GradPeekBundle.message("settings.interpreter.missing", "/no/such/python"), problem.text)
        for (fine in listOf("python3.12", "")) {
            interpreter.setText(fine)
            checkNow()
            assertEquals("", problem.text)
        }
        // What was typed before the last answer came does not count any more.
        interpreter.setText("/no/such/python")
        val late = waiting.toList()
        interpreter.setText("python3")
        late.forEach(Runnable::run)
        assertEquals("", problem.text)
    }

    private fun checkNow() {
        waiting.forEach(Runnable::run)
        waiting.clear()
    }

    @Test
    fun `a page that is closed has nothing to apply`() {
        interpreter.setText("python3")
        page.disposeUIResources()
        assertFalse(page.isModified)
        page.apply()
        assertEquals(Settings.Values(), settings.state)
    }
}
