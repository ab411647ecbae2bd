package dev.gradpeek.actions

import com.intellij.xdebugger.XDebugSession
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Request
import dev.gradpeek.server.Answers
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.settings.ViewOptions
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.Executor

/** The server, as commands ask it. */
internal interface Asked {
    /** The server's answer to what is asked after all that has happened by now; see [Answers.request]. */
    fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R>

    /** Allows another start after a failure. */
    fun retry()
}

/** What commands do to the tool window; on the EDT. */
internal interface Stage {
    /** Shows the tool window and moves the focus to it, then acts. */
    fun open(then: () -> Unit)

    fun reveal(path: List<Node>)

    /** One line above the tree. */
    fun say(message: String)
}

/** What commands do to the rest of the IDE; on the EDT. */
internal interface Surroundings {
    /** Puts a text into the clipboard. */
    fun copy(text: String)

    /** Adds to the Watches of the current session, or says false where that cannot be done. */
    fun watch(expression: String): Boolean

    /** Opens a file at a line, counted from 1. */
    fun open(file: String, line: Int)

    /** An expression from the user, null where they think better of it; waits for them, as dialogs do. */
    fun ask(offered: String): String?

    /** Says something in a balloon. */
    fun inform(message: String)
}

/** GradPeek in one project, as actions see it; on the EDT. */
internal interface Commands {
    val options: ViewOptions
    val showing: Showing
    val rows: RowCommands

    /** What the editor in front has of Python, null where it shows something else. */
    fun code(): Code?

    /** The node of the selected row of the tool window. */
    val selected: Node?

    /** Turns to a debug session: what is shown from now on is its selected frame. */
    fun select(session: XDebugSession)

    /** Has the frames looked into anew; after a failure it starts the server again. */
    fun refresh()

    /** Opens the search of the tool window. */
    fun search()

    /** Closes all rows. */
    fun collapseAll()

    /** Opens the page of the settings. */
    fun openSettings()
}

/** Acts with the answer on the EDT; what goes wrong is said in one line, unless it has been said already. */
internal fun <R : Any> CompletableFuture<R>.then(edt: Executor, stage: Stage, act: (R) -> Unit) {
    whenCompleteAsync(
        { answer, error ->
            when (val cause = if (error is CompletionException) error.cause ?: error else error) {
                null -> act(answer)
                // Whoever hears of the server's failures has said it.
                is ServerUnavailableError -> Unit
                else -> stage.say(cause.message ?: cause.toString())
            }
        },
        edt,
    )
}
