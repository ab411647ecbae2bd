package dev.gradpeek.actions

import com.intellij.xdebugger.frame.XValue
import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.ExpressionRequest
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.ShowRequest
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/** Show Gradients: of a value, of code, of an expression; on the EDT. */
internal class Showing(
    private val server: Asked,
    private val stage: Stage,
    private val surroundings: Surroundings,
    private val edt: Executor,
) {
    /** Pins an expression of the selected frame as a root, and shows it. */
    fun show(expression: String) {
        stage.open {
            server.retry()
            server.request(Requests.SHOW, ShowRequest(session = null, expression)).then(edt, stage) { shown ->
                if (shown.path.isNotEmpty()) stage.reveal(shown.path)
                shown.message?.let(stage::say)
            }
        }
    }

    /** Shows what a row of the debugger's trees stands for. */
    fun show(value: XValue) {
        val named = CompletableFuture<String>()
        value.calculateEvaluationExpression()
            .onSuccess { named.complete(it?.expression.orEmpty().trim()) }
            .onError { named.complete("") }
        named.thenAcceptAsync(
            { expression ->
                if (expression.isEmpty()) {
                    surroundings.inform(GradPeekBundle.message("show.nameless"))
                } else {
                    show(expression)
                }
            },
            edt,
        )
    }

    /** Shows what is selected, else the expression at the caret; where there is none, asks for one. */
    fun show(code: Code) {
        if (code.selected.isNotEmpty()) {
            show(code.selected)
        } else {
            expressionAt(code).then(edt, stage) { if (it.isEmpty()) ask("") else show(it) }
        }
    }

    /** Asks for an expression, offering what is in the code, and shows it. */
    fun ask(code: Code?) {
        when {
            code == null -> ask("")
            code.selected.isNotEmpty() -> ask(code.selected)
            // Without an offer the question is as good.
            else -> expressionAt(code).exceptionally { "" }.thenAcceptAsync(::ask, edt)
        }
    }

    private fun ask(offered: String) {
        val expression = surroundings.ask(offered)?.trim().orEmpty()
        if (expression.isNotEmpty()) show(expression)
    }

    private fun expressionAt(code: Code): CompletableFuture<String> {
        server.retry()
        return server.request(Requests.EXPRESSION, ExpressionRequest(code.line, code.column)).thenApply { it.text }
    }
}
