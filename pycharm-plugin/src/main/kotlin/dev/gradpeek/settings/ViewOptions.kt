package dev.gradpeek.settings

import com.intellij.openapi.components.PersistentStateComponent
import com.intellij.openapi.components.State
import com.intellij.openapi.components.Storage
import com.intellij.openapi.components.StoragePathMacros
import dev.gradpeek.protocol.Order

/** How the tree is shown in one project; kept with what else is the user's own in it. */
@State(name = "GradPeek", storages = [Storage(StoragePathMacros.WORKSPACE_FILE)])
internal class ViewOptions : PersistentStateComponent<ViewOptions.Values> {
    /** As they are stored; a copy for whoever asks. */
    data class Values(
        var order: Order = Order.MODEL,
        /** Leave out modules without parameters. */
        var hidePlain: Boolean = false,
        /** Leave out rows whose gradient is there and finite. */
        var onlyProblems: Boolean = false,
        /** Look into the callers' frames, too. */
        var callers: Boolean = false,
    )

    @Volatile
    private var values = Values()

    /** Called when one of them has changed. */
    @Volatile
    var onChange: () -> Unit = {}

    override fun getState(): Values = values.copy()

    override fun loadState(state: Values) {
        values = state.copy()
    }

    /** Changes them. */
    fun change(changes: Values.() -> Unit) {
        val isChanged = synchronized(this) {
            val before = values
            values = before.copy().apply(changes)
            values != before
        }
        if (isChanged) onChange()
    }
}
