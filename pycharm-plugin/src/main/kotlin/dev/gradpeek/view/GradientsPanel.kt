package dev.gradpeek.view

import com.google.gson.JsonElement
import com.intellij.openapi.Disposable
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Status
import dev.gradpeek.server.Answers
import dev.gradpeek.server.ServerUnavailableError
import java.awt.BorderLayout
import javax.swing.JComponent
import javax.swing.JPanel
import javax.swing.JTree

/** What the panel needs to know of the project's debug sessions; any thread may ask. */
internal interface Situation {
    /** How many debug sessions there are. */
    val sessions: Int

    /** Whether any of them has ever stopped, so that the server may know something. */
    val hasStopped: Boolean

    /** Whether a new stop is looked at by itself, rather than when the user refreshes. */
    val isAutomatic: Boolean
}

/** What the links of the panel do; called on the EDT. */
internal interface Links {
    fun lookIntoCallers()

    fun showExpression()

    /** Starts the server again after a failure, and asks it for everything anew. */
    fun refresh()

    fun openLog()

    fun openSettings()

    /** Asks the server to leave the work of that token. */
    fun cancel(work: JsonElement)
}

/**
 * The tree of gradients with the statistics of the selected row, as it fills the tool window.
 *
 * It is a component: made and used on the EDT, but for what says otherwise. It waits for nobody.
 */
internal class GradientsPanel(private val answers: Answers, private val situation: Situation, private val links: Links) :
    JPanel(BorderLayout()), Disposable {
    /** The tree itself, for menus and shortcuts. */
    val tree = JTree()

    /** The node of the selected row. */
    val selected: Node? get() = null

    /** Tells where the panel comes into sight or leaves it. */
    var onVisibility: () -> Unit = {}

    /** Where the buttons go that are above the tree. */
    fun setToolbar(@Suppress("UNUSED_PARAMETER") buttons: JComponent) = Unit

    /** What the server says has changed; any thread. */
    fun changed(@Suppress("UNUSED_PARAMETER") params: Changed) = Unit

    /** One line about the selected session; any thread. */
    fun status(@Suppress("UNUSED_PARAMETER") params: Status) = Unit

    /** The params of a `$/progress` of the Language Server Protocol; any thread. */
    fun progress(@Suppress("UNUSED_PARAMETER") params: JsonElement) = Unit

    /** The server is gone or does not start; any thread. */
    fun failed(@Suppress("UNUSED_PARAMETER") error: ServerUnavailableError) = Unit

    /** Opens the way to the last node of a path from the top, and selects it. */
    fun reveal(@Suppress("UNUSED_PARAMETER") path: List<Node>) = Unit

    /** One line above the tree, until what is shown changes. */
    fun say(@Suppress("UNUSED_PARAMETER") message: String) = Unit

    /** Opens the search. */
    fun search() = Unit

    override fun dispose() = Unit
}
