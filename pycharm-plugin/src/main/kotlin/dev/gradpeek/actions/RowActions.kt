package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionUpdateThread
import com.intellij.openapi.actionSystem.AnActionEvent
import dev.gradpeek.protocol.Action
import dev.gradpeek.protocol.CopyRequestWhat
import dev.gradpeek.protocol.Node

/** An action on the selected row of the tool window; there where the server says that the row has it. */
internal abstract class RowAction(
    private val find: Find,
    private val needed: Action,
    private val act: RowCommands.(Node) -> Unit,
) : ProjectAction(find) {
    /** Which row is selected the tree knows, which is asked on the EDT only. */
    override fun getActionUpdateThread() = ActionUpdateThread.EDT

    override fun update(e: AnActionEvent) {
        e.presentation.isEnabledAndVisible = e.project?.let { row(find(it)) } != null
    }

    override fun perform(commands: Commands, event: AnActionEvent) {
        row(commands)?.let { commands.rows.act(it) }
    }

    private fun row(commands: Commands) = commands.selected?.takeIf { needed in it.actions }
}

/** Copies the fully-qualified name. */
internal class CopyPathAction(find: Find = ::gradPeekIn) :
    RowAction(find, Action.COPY_PATH, { copy(it, CopyRequestWhat.PATH) })

/** Copies what evaluates to it in the frame. */
internal class CopyExpressionAction(find: Find = ::gradPeekIn) :
    RowAction(find, Action.COPY_EXPRESSION, { copy(it, CopyRequestWhat.EXPRESSION) })

/** Copies its numbers. */
internal class CopyValueAction(find: Find = ::gradPeekIn) :
    RowAction(find, Action.COPY_VALUE, { copy(it, CopyRequestWhat.VALUE) })

/** Adds it to the debugger's Watches. */
internal class AddToWatchAction(find: Find = ::gradPeekIn) : RowAction(find, Action.WATCH, { watch(it) })

/** Opens the file where the class of a module is defined. */
internal class GoToClassAction(find: Find = ::gradPeekIn) : RowAction(find, Action.SOURCE, { goToClass(it) })

/** Takes a pinned root away. */
internal class UnpinAction(find: Find = ::gradPeekIn) : RowAction(find, Action.UNPIN, { unpin(it) })

/** Evaluates a pinned expression with a call again. */
internal class EvaluateAgainAction(find: Find = ::gradPeekIn) : RowAction(find, Action.RERUN, { evaluateAgain(it) })
