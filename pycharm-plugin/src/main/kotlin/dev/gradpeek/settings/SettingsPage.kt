package dev.gradpeek.settings

import com.intellij.openapi.application.ApplicationManager
import com.intellij.openapi.fileChooser.FileChooserDescriptorFactory
import com.intellij.openapi.options.Configurable
import com.intellij.openapi.ui.TextFieldWithBrowseButton
import com.intellij.util.concurrency.AppExecutorUtil
import com.intellij.util.ui.FormBuilder
import dev.gradpeek.GradPeekBundle
import java.awt.EventQueue
import java.io.File
import java.util.concurrent.Executor
import javax.swing.JCheckBox
import javax.swing.JComponent
import javax.swing.JLabel
import javax.swing.JPanel
import javax.swing.event.DocumentEvent
import javax.swing.event.DocumentListener

/**
 * The page under Settings | Tools; what is applied there counts at once.
 *
 * @param pool threads that may wait, as for a file on another machine.
 */
internal class SettingsPage(
    private val settings: Settings,
    private val pool: Executor,
    private val edt: Executor,
) : Configurable {
    @Suppress("unused") // The IDE makes it.
    constructor() : this(
        ApplicationManager.getApplication().getService(Settings::class.java),
        AppExecutorUtil.getAppExecutorService(),
        EventQueue::invokeLater,
    )

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

    override fun apply() {
        val form = form ?: return
        settings.change { form.into(this) }
    }

    override fun disposeUIResources() {
        form = null
    }

    private inner class Form {
        private val interpreter = TextFieldWithBrowseButton()
        private val isAutomatic = JCheckBox(GradPeekBundle.message("settings.automatic"))
        private val hasConsole = JCheckBox(GradPeekBundle.message("settings.console"))
        private val problem = JLabel()
        val panel: JPanel

        init {
            interpreter.textField.document.addDocumentListener(object : DocumentListener {
                override fun insertUpdate(event: DocumentEvent) = check()

                override fun removeUpdate(event: DocumentEvent) = check()

                override fun changedUpdate(event: DocumentEvent) = Unit
            })
            problem.name = "problem"
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
                .addComponent(problem)
                .addComponent(isAutomatic)
                .addTooltip(GradPeekBundle.message("settings.automatic.comment"))
                .addComponent(hasConsole)
                .addTooltip(GradPeekBundle.message("settings.console.comment"))
                .addComponentFillVertically(JPanel(), 0)
                .panel
        }

        fun show(values: Settings.Values) {
            interpreter.setText(values.interpreter)
            isAutomatic.isSelected = values.isAutomatic
            hasConsole.isSelected = values.hasConsole
        }

        fun into(values: Settings.Values) {
            values.interpreter = interpreter.text.trim()
            values.isAutomatic = isAutomatic.isSelected
            values.hasConsole = hasConsole.isSelected
        }

        /** Says where there is no such program. It may be set all the same: perhaps it is to be there soon. */
        private fun check() {
            val path = interpreter.text.trim()
            pool.execute {
                val isMissing = path.isNotEmpty() && !canBeProgram(path)
                edt.execute {
                    if (path != interpreter.text.trim()) return@execute
                    problem.text = if (isMissing) GradPeekBundle.message("settings.interpreter.missing", path) else ""
                }
            }
        }

        fun applied(values: Settings.Values) = values.copy().also(::into)
    }
}

/** Whether a path is one of a file; a name without a folder is looked up on PATH when the server starts. */
private fun canBeProgram(path: String): Boolean {
    val expanded = if (path.startsWith("~/")) System.getProperty("user.home") + path.drop(1) else path
    return File(expanded).isFile || (File.separatorChar !in path && '/' !in path)
}
