package dev.gradpeek.toolwindow

import com.intellij.openapi.actionSystem.ActionGroup
import com.intellij.openapi.actionSystem.ActionManager
import com.intellij.openapi.actionSystem.CommonShortcuts
import com.intellij.openapi.actionSystem.DefaultActionGroup
import com.intellij.openapi.actionSystem.ShortcutSet
import com.intellij.openapi.actionSystem.ex.ActionUtil
import com.intellij.openapi.project.DumbAware
import com.intellij.openapi.project.Project
import com.intellij.openapi.wm.ToolWindow
import com.intellij.openapi.wm.ToolWindowFactory
import com.intellij.ui.PopupHandler
import com.intellij.ui.content.ContentFactory
import dev.gradpeek.GradPeek
import dev.gradpeek.view.GradientsPanel
import java.awt.event.KeyEvent
import javax.swing.JComponent
import javax.swing.KeyStroke

private const val PLACE = "GradPeek"

/** Fills the tool window when it is first shown. */
internal class GradientsToolWindow : ToolWindowFactory, DumbAware {
    override fun createToolWindowContent(project: Project, toolWindow: ToolWindow) {
        val panel = project.getService(GradPeek::class.java).createPanel()
        panel.setToolbar(toolbar(panel))
        addRowMenu(panel)
        val content = ContentFactory.getInstance().createContent(panel, null, false)
        content.setPreferredFocusableComponent(panel.tree)
        content.setDisposer(panel)
        toolWindow.contentManager.addContent(content)
    }

    private fun toolbar(panel: GradientsPanel): JComponent {
        val group = ActionManager.getInstance().getAction("GradPeek.Toolbar") as ActionGroup
        val toolbar = ActionManager.getInstance().createActionToolbar(PLACE, group, true)
        toolbar.setTargetComponent(panel)
        return toolbar.component
    }

    /** The menu of rows, with the shortcuts that hold in the tree. */
    private fun addRowMenu(panel: GradientsPanel) {
        val menu = DefaultActionGroup()
        fun add(id: String, shortcuts: ShortcutSet? = null) {
            // A registered action's shortcuts are the keymap's: its wrapper can have others.
            val action = ActionUtil.wrap(checkNotNull(ActionManager.getInstance().getAction("GradPeek.$id")))
            if (shortcuts != null) action.registerCustomShortcutSet(shortcuts, panel.tree, panel)
            menu.add(action)
        }
        add("GoToClass", CommonShortcuts.getEditSource())
        add("AddToWatch")
        menu.addSeparator()
        add("EvaluateAgain")
        add("Unpin", CommonShortcuts.getDelete())
        menu.addSeparator()
        add("CopyValue", CommonShortcuts.getCopy())
        add("CopyPath")
        add("CopyExpression")
        PopupHandler.installPopupMenu(panel.tree, menu, PLACE)
        // Swing's own name for opening and closing a row.
        panel.tree.getInputMap(JComponent.WHEN_FOCUSED).put(KeyStroke.getKeyStroke(KeyEvent.VK_ENTER, 0), "toggle")
    }

    companion object {
        /** As in plugin.xml. */
        const val ID = "Gradients"
    }
}
