package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.DataContext
import com.intellij.openapi.diagnostic.Logger
import com.intellij.xdebugger.XDebuggerUtil
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.impl.ui.tree.actions.XDebuggerTreeActionBase

/**
 * The value of the selected row of a debugger's tree.
 *
 * There are two ways to it. The first one is on its way out, and the second one's signature is not the
 * same in all versions of the IDE: where one cannot be linked, or knows nothing, the other is asked.
 */
internal object SelectedValue {
    fun of(context: DataContext): XValue? = first(context) ?: second(context)

    private fun first(context: DataContext): XValue? = guarded {
        XDebuggerUtil.getInstance().getValueContainer(context)
    }

    private fun second(context: DataContext): XValue? = guarded {
        XDebuggerTreeActionBase.getSelectedValue(context)
    }

    private fun guarded(ask: () -> Any?): XValue? = try {
        ask() as? XValue
    } catch (error: LinkageError) {
        LOG.debug(error)
        null
    }

    private val LOG = Logger.getInstance(SelectedValue::class.java)
}
