package dev.gradpeek.settings

import com.intellij.openapi.components.PersistentStateComponent
import com.intellij.openapi.components.RoamingType
import com.intellij.openapi.components.State
import com.intellij.openapi.components.Storage
import java.util.concurrent.CopyOnWriteArrayList

/**
 * What the user has set for all projects on this machine, which is not shared with other machines: a path
 * of one of them means nothing on another.
 */
@State(name = "GradPeek", storages = [Storage("gradpeek.xml", roamingType = RoamingType.DISABLED)])
internal class Settings : PersistentStateComponent<Settings.Values> {
    /** As they are stored; a copy for whoever asks. */
    data class Values(
        /** Path of the Python that runs the server, empty for the one that is found. */
        var interpreter: String = "",
        /** Whether a new stop is looked at by itself. */
        var isAutomatic: Boolean = true,
        /** Whether debuggees get `grads()`. */
        var hasConsole: Boolean = true,
        /** Whether the tool window has ever been in sight. */
        var isIntroduced: Boolean = false,
    )

    @Volatile
    private var values = Values()
    private val listeners = CopyOnWriteArrayList<(Values, Values) -> Unit>()

    override fun getState(): Values = values.copy()

    override fun loadState(state: Values) {
        values = state.copy()
    }

    /** Changes them, and tells those who listen where that makes a difference. */
    fun change(changes: Values.() -> Unit) {
        val before: Values
        val after: Values
        synchronized(this) {
            before = values
            after = before.copy().apply(changes)
            values = after
        }
        if (after != before) for (listener in listeners) listener(before, after)
    }

    /** Calls back with what was and what is at each change, until the returned function is called. */
    fun onChange(listener: (before: Values, after: Values) -> Unit): () -> Unit {
        listeners.add(listener)
        return { listeners.remove(listener) }
    }
}
