package dev.gradpeek.view

import dev.gradpeek.protocol.Request
import dev.gradpeek.server.Answers
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import javax.swing.SwingUtilities

/** Something that has been asked and can be left. */
internal class Question(private val answer: CompletableFuture<*>) {
    /** Whether the answer no longer counts. */
    var isLeft = false
        private set

    /** Asks the server to leave it; nothing more is heard of it. */
    fun leave() {
        isLeft = true
        answer.cancel(false)
    }
}

/** Asks without waiting: answers come on the EDT, later, and only while they count. On the EDT only. */
internal class Questions(private val answers: Answers) {
    private val open = LinkedHashSet<Question>()

    /** Whether any answer is awaited. */
    val isAwaiting: Boolean get() = open.isNotEmpty()

    /** Asks; exactly one of the two is called, unless the question is left before. */
    fun <P : Any, R : Any> ask(
        method: Request<P, R>,
        params: P,
        failed: (Throwable) -> Unit,
        answered: (R) -> Unit,
    ): Question {
        val answer = answers.request(method, params)
        val question = Question(answer)
        open.add(question)
        answer.whenComplete { result, error ->
            SwingUtilities.invokeLater {
                open.remove(question)
                if (!question.isLeft) {
                    if (error == null) answered(result) else failed(cause(error))
                }
            }
        }
        return question
    }

    /** Leaves all. */
    fun leave() {
        open.forEach(Question::leave)
        open.clear()
    }
}

private fun cause(error: Throwable): Throwable = if (error is CompletionException) error.cause ?: error else error
