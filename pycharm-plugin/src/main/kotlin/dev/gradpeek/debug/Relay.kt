package dev.gradpeek.debug

import com.intellij.xdebugger.evaluation.XDebuggerEvaluator
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValuePlace
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Text
import dev.gradpeek.server.RefusedError
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/**
 * Evaluates for the server in the user's own debug session, through the platform's API only, which both
 * debuggers of PyCharm stand behind.
 *
 * @param pool threads that may wait; debuggers call back on any thread.
 */
internal class Relay(private val stops: Stops, private val pool: Executor) {
    /**
     * What the server's expression evaluates to, as the whole text that the debugger has of it. Fails with
     * RefusedError where the stop is over (nothing is asked then, or the answer is not waited for any
     * more), or with the debugger's words where it refuses.
     */
    fun evaluate(params: Evaluate): CompletableFuture<Text> {
        val answer = CompletableFuture<String>()
        try {
            val (stop, frame) = stops.at(params)
            stop.holds(answer)
            pool.execute {
                guarded(answer) {
                    val evaluator = frame.evaluator
                        ?: throw RefusedError("The debugger evaluates nothing in this frame.")
                    evaluator.evaluate(params.expression, Evaluated(answer), null)
                }
            }
        } catch (refused: RefusedError) {
            answer.completeExceptionally(refused)
        }
        val text = answer.thenApply(::Text)
        // Who no longer waits for the text makes what the debugger still does for it obsolete.
        text.whenComplete { _, _ -> if (text.isCancelled) answer.cancel(false) }
        return text
    }

    private inner class Evaluated(private val answer: CompletableFuture<String>) :
        XDebuggerEvaluator.XEvaluationCallback {
        override fun evaluated(result: XValue) {
            if (answer.isDone) return
            // The callback may come on a thread that must not wait.
            pool.execute {
                guarded(answer) {
                    val node = FullText(answer, pool)
                    result.computePresentation(node, XValuePlace.TREE)
                    node.shown()
                }
            }
        }

        override fun errorOccurred(errorMessage: String) {
            answer.completeExceptionally(RefusedError(errorMessage))
        }
    }
}

/** Does something for an answer, and fails that with whatever is thrown: the server waits for it. */
private fun guarded(answer: CompletableFuture<String>, act: () -> Unit) {
    if (answer.isDone) return
    try {
        act()
    } catch (error: Exception) {
        answer.completeExceptionally(error)
    }
}
