package dev.gradpeek.view

import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Requests
import dev.gradpeek.server.Answers

/** Keeps what is read of the selected row as the server says it; what was read stays until the answer. */
internal class Statistics(answers: Answers, private val pane: DetailsPane) {
    private val questions = Questions(answers)
    private var id: String? = null

    /** Another row is selected, or none. */
    fun select(id: String?) {
        if (id == this.id) return
        this.id = id
        refresh()
    }

    /** Asks again. */
    fun refresh() {
        questions.leave()
        val id = id ?: return pane.hint()
        val failed = { error: Throwable -> LOG.info("No details of a row: $error") }
        questions.ask(Requests.DETAILS, NodeRequest(id), failed) {
            // Nothing is known of a row that has gone; the tree will say so, too.
            if (it.title.isNotEmpty()) pane.show(it)
        }
    }

    /** Leaves what was asked. */
    fun leave() = questions.leave()

    private companion object {
        val LOG = Logger.getInstance(Statistics::class.java)
    }
}
