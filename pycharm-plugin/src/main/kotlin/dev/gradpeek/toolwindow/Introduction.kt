package dev.gradpeek.toolwindow

import dev.gradpeek.settings.Settings

/**
 * Opens the tool window once for a user, at the first stop of a Python program: one who has just installed
 * the plugin would look for it in vain. What the user does with it from then on stays as it is.
 *
 * @param open shows it; the focus stays where it is.
 */
internal class Introduction(private val settings: Settings, private val open: () -> Unit) {
    /** A Python program has stopped; any thread. */
    fun stopped() {
        if (settings.state.isIntroduced) return
        seen()
        open()
    }

    /** It has been in sight; any thread. */
    fun seen() = settings.change { isIntroduced = true }
}
