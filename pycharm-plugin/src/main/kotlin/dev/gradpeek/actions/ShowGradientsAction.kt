package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.openapi.actionSystem.DataContext
import com.intellij.openapi.editor.Editor
import com.intellij.xdebugger.frame.XValue

/**
 * Show Gradients on a row of Variables, Watches, Inspect or Evaluate. Of which type the row's value is no
 * public interface says, so the menu entry is there for numbers, too.
 */
internal class ShowGradientsAction(
    find: Find = ::gradPeekIn,
    private val selected: (DataContext) -> XValue? = SelectedValue::of,
) : ProjectAction(find) {
    override fun update(e: AnActionEvent) {
        e.presentation.isEnabledAndVisible = isAtPythonStop(e) && selected(e.dataContext) != null
    }

    override fun perform(commands: Commands, event: AnActionEvent) {
        val value = selected(event.dataContext) ?: return
        sessionOf(event)?.let(commands::select)
        commands.showing.show(value)
    }
}

/** Show Gradients in the editor: of what is selected, else of the expression at the caret. */
internal class ShowGradientsInEditorAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun update(e: AnActionEvent) {
        e.presentation.isEnabledAndVisible = pythonEditor(e) != null && isAtPythonStop(e)
    }

    override fun perform(commands: Commands, event: AnActionEvent) {
        pythonEditor(event)?.let { commands.showing.show(Code.of(it)) }
    }

    private fun pythonEditor(event: AnActionEvent): Editor? =
        event.getData(CommonDataKeys.EDITOR)?.takeIf { isPython(event.getData(CommonDataKeys.VIRTUAL_FILE)?.fileType) }
}

/** Show Gradients of Expression…: asks for one, and shows it. */
internal class ShowExpressionAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun update(e: AnActionEvent) {
        e.presentation.isVisible = e.project != null
        e.presentation.isEnabled = isAtPythonStop(e)
    }

    override fun perform(commands: Commands, event: AnActionEvent) = commands.showing.ask(commands.code())
}
