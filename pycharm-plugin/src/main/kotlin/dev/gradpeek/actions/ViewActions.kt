package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionUpdateThread
import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.project.DumbAwareToggleAction
import com.intellij.openapi.project.Project
import dev.gradpeek.protocol.Order
import dev.gradpeek.settings.ViewOptions

/** How an action finds the options of a project. */
internal typealias FindOptions = (Project) -> ViewOptions

private fun optionsIn(project: Project): ViewOptions = project.getService(ViewOptions::class.java)

/** A choice of how the tree is shown, in the tool window's toolbar. */
internal abstract class ViewAction(
    private val find: FindOptions,
    private val get: (ViewOptions.Values) -> Boolean,
    private val set: ViewOptions.Values.(Boolean) -> Unit,
) : DumbAwareToggleAction() {
    override fun getActionUpdateThread() = ActionUpdateThread.BGT

    override fun isSelected(e: AnActionEvent): Boolean = e.project?.let { get(find(it).state) } ?: false

    override fun setSelected(e: AnActionEvent, state: Boolean) {
        e.project?.let { find(it).change { set(state) } }
    }
}

/** Leaves out layers without parameters. */
internal class HidePlainAction(find: FindOptions = ::optionsIn) :
    ViewAction(find, ViewOptions.Values::hidePlain, { hidePlain = it })

/** Leaves out rows whose gradient is there and finite. */
internal class OnlyProblemsAction(find: FindOptions = ::optionsIn) :
    ViewAction(find, ViewOptions.Values::onlyProblems, { onlyProblems = it })

/** Looks into the callers' frames, too. */
internal class CallersAction(find: FindOptions = ::optionsIn) :
    ViewAction(find, ViewOptions.Values::callers, { callers = it })

/** One of the orders; choosing the one in use changes nothing. */
internal abstract class SortAction(find: FindOptions, wanted: Order) :
    ViewAction(find, { it.order == wanted }, { isChosen -> if (isChosen) order = wanted })

/** As in the model. */
internal class SortByModelAction(find: FindOptions = ::optionsIn) : SortAction(find, Order.MODEL)

/** By name. */
internal class SortByNameAction(find: FindOptions = ::optionsIn) : SortAction(find, Order.NAME)

/** Largest gradient first. */
internal class SortByGradientAction(find: FindOptions = ::optionsIn) : SortAction(find, Order.GRADIENT)

/** Most elements first. */
internal class SortBySizeAction(find: FindOptions = ::optionsIn) : SortAction(find, Order.SIZE)
