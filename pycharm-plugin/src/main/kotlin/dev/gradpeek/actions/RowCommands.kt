package dev.gradpeek.actions

import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.CopyRequest
import dev.gradpeek.protocol.CopyRequestWhat
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Requests
import java.util.concurrent.Executor

/** What is done with one row of the tree; on the EDT. */
internal class RowCommands(
    private val server: Asked,
    private val stage: Stage,
    private val surroundings: Surroundings,
    private val edt: Executor,
) {
    fun copy(node: Node, what: CopyRequestWhat) =
        server.request(Requests.COPY, CopyRequest(node.id, what)).then(edt, stage) { surroundings.copy(it.text) }

    /** Adds it to the Watches; where the IDE does not let us, its expression is in the clipboard, and that is said. */
    fun watch(node: Node) {
        val expression = node.expression ?: return
        if (surroundings.watch(expression)) return
        surroundings.copy(expression)
        surroundings.inform(GradPeekBundle.message("watch.copied"))
    }

    fun goToClass(node: Node) =
        server.request(Requests.SOURCE, NodeRequest(node.id)).then(edt, stage) { source ->
            val file = source.file
            if (file == null) {
                surroundings.inform(source.message ?: GradPeekBundle.message("source.nowhere"))
            } else {
                surroundings.open(file, source.line)
            }
        }

    fun unpin(node: Node) = server.request(Requests.UNPIN, NodeRequest(node.id)).then(edt, stage) {}

    fun evaluateAgain(node: Node) =
        server.request(Requests.RERUN, NodeRequest(node.id)).then(edt, stage) { again ->
            if (again.path.isNotEmpty()) stage.reveal(again.path)
            again.message?.let(stage::say)
        }
}
