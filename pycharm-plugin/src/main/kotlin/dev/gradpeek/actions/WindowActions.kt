package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.AnActionEvent

/** Looks into the frames anew. */
internal class RefreshAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun perform(commands: Commands, event: AnActionEvent) = commands.refresh()
}

/** Opens the search in the tool window. */
internal class SearchAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun perform(commands: Commands, event: AnActionEvent) = commands.search()
}

/** Closes all rows. */
internal class CollapseAllAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun perform(commands: Commands, event: AnActionEvent) = commands.collapseAll()
}

/** Opens the page of the settings. */
internal class SettingsAction(find: Find = ::gradPeekIn) : ProjectAction(find) {
    override fun perform(commands: Commands, event: AnActionEvent) = commands.openSettings()
}
