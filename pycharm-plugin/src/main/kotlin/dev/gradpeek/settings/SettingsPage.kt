package dev.gradpeek.settings

import com.intellij.openapi.application.ApplicationManager
import com.intellij.openapi.fileChooser.FileChooserDescriptorFactory
import com.intellij.openapi.options.Configurable
import com.intellij.openapi.options.ConfigurationException
import com.intellij.openapi.ui.TextFieldWithBrowseButton
import com.intellij.util.ui.FormBuilder
import dev.gradpeek.GradPeekBundle
import java.io.File
import javax.swing.JCheckBox
import javax.swing.JComponent
import javax.swing.JPanel

/** The page under Settings | Tools; what is applied there counts at once. */
internal class SettingsPage(private val settings: Settings) : Configurable {
    @Suppress("unused") // The IDE makes it.
    constructor() : this(ApplicationManager.getApplication().getService(Settings::class.java))

    private var form: Form? = null

    override fun getDisplayName() = GradPeekBundle.message("settings.name")

    override fun createComponent(): JComponent = Form().also {
        form = it
        reset()
    }.panel

    override fun isModified(): Boolean = form?.let { it.applied(settings.state) != settings.state } ?: false

    override fun reset() {
        form?.show(settings.state)
    }

    /** @throws ConfigurationException where the interpreter is no file: a typing error is said here, not at a stop. */
    override fun apply() {
        val form = form ?: return
        val interpreter = form.applied(settings.state).interpreter
        if (interpreter.isNotEmpty() && !isCommand(interpreter)) {
            throw ConfigurationException(GradPeekBundle.message("settings.interpreter.missing", interpreter))
        }
        settings.change { form.into(this) }
    }

    override fun disposeUIResources() {
        form = null
    }

    /** Whether it can be the path of a program; a name without a folder is looked up on PATH later. */
    private fun isCommand(path: String): Boolean {
        val expanded = if (path.startsWith("~/")) System.getProperty("user.home") + path.drop(1) else path
        return File(expanded).isFile || (File.separatorChar !in path && '/' !in path)
    }

    private class Form {
        private val interpreter = TextFieldWithBrowseButton()
        private val isAutomatic = JCheckBox(GradPeekBundle.message("settings.automatic"))
        private val hasConsole = JCheckBox(GradPeekBundle.message("settings.console"))
        val panel: JPanel

        init {
            val chooser = FileChooserDescriptorFactory.createSingleFileNoJarsDescriptor()
            val label = GradPeekBundle.message("settings.interpreter")
            interpreter.addBrowseFolderListener(null, chooser.withTitle(label))
            for ((component, name) in listOf(interpreter to "interpreter", isAutomatic to "automatic")) {
                component.name = name
            }
            hasConsole.name = "console"
            panel = FormBuilder.createFormBuilder()
                .addLabeledComponent("$label:", interpreter)
                .addTooltip(GradPeekBundle.message("settings.interpreter.comment"))
                .addComponent(isAutomatic)
                .addTooltip(GradPeekBundle.message("settings.automatic.comment"))
                .addComponent(hasConsole)
                .addTooltip(GradPeekBundle.message("settings.console.comment"))
                .addComponentFillVertically(JPanel(), 0)
                .panel
        }

        fun show(values: Settings.Values) {
            interpreter.text = values.interpreter
            isAutomatic.isSelected = values.isAutomatic
            hasConsole.isSelected = values.hasConsole
        }

        fun into(values: Settings.Values) {
            values.interpreter = interpreter.text.trim()
            values.isAutomatic = isAutomatic.isSelected
            values.hasConsole = hasConsole.isSelected
        }

        fun applied(values: Settings.Values) = values.copy().also(::into)
    }
}
