package dev.gradpeek.debug

import com.intellij.openapi.editor.colors.TextAttributesKey
import com.intellij.xdebugger.frame.XFullValueEvaluator
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.presentation.XValuePresentation
import dev.gradpeek.server.RefusedError
import java.awt.Font
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import javax.swing.Icon

/** How long a debugger that has shown a value later may take to offer the whole of it. */
private const val OFFER_MS = 50L

/**
 * Takes the whole text of a value: a node of no tree.
 *
 * A debugger shows a text that may be cut, and offers an evaluator of the whole one before that or after
 * it, at once or later; where there is an evaluator it is asked. `shown` says that `computePresentation`
 * has returned, so that nothing more is to come at once.
 */
internal class FullText(private val answer: CompletableFuture<String>, private val pool: Executor) : XValueNode {
    private var text: String? = null
    private var whole: XFullValueEvaluator? = null
    private var hasReturned = false
    private var isAsked = false

    /** `computePresentation` has returned. */
    fun shown() {
        synchronized(this) { hasReturned = true }
        settle()
    }

    override fun isObsolete(): Boolean = answer.isDone

    override fun setPresentation(icon: Icon?, type: String?, value: String, hasChildren: Boolean) {
        val isLate = synchronized(this) {
            text = value
            hasReturned
        }
        if (isLate) CompletableFuture.delayedExecutor(OFFER_MS, TimeUnit.MILLISECONDS, pool).execute(::settle)
    }

    override fun setPresentation(icon: Icon?, presentation: XValuePresentation, hasChildren: Boolean) {
        val value = StringBuilder()
        presentation.renderValue(PlainText(value))
        setPresentation(icon, presentation.type, value.toString(), hasChildren)
    }

    override fun setFullValueEvaluator(fullValueEvaluator: XFullValueEvaluator) {
        val isLate = synchronized(this) {
            whole = fullValueEvaluator
            hasReturned
        }
        if (isLate) settle()
    }

    private fun settle() {
        val evaluator: XFullValueEvaluator?
        val value: String?
        synchronized(this) {
            if (isAsked || (text == null && whole == null)) return
            isAsked = true
            evaluator = whole
            value = text
        }
        if (evaluator == null) answer.complete(value) else evaluator.startEvaluation(Whole())
    }

    private inner class Whole : XFullValueEvaluator.XFullValueEvaluationCallback {
        override fun isObsolete(): Boolean = answer.isDone

        override fun evaluated(fullValue: String) {
            answer.complete(fullValue)
        }

        override fun evaluated(fullValue: String, font: Font?) {
            answer.complete(fullValue)
        }

        override fun errorOccurred(errorMessage: String) {
            answer.completeExceptionally(RefusedError(errorMessage))
        }
    }
}

/** The text of a value without the quotes and comments that the tree draws around it. */
private class PlainText(private val text: StringBuilder) : XValuePresentation.XValueTextRenderer {
    override fun renderValue(value: String) {
        text.append(value)
    }

    override fun renderStringValue(value: String) = renderValue(value)

    override fun renderNumericValue(value: String) = renderValue(value)

    override fun renderKeywordValue(value: String) = renderValue(value)

    override fun renderValue(value: String, key: TextAttributesKey) = renderValue(value)

    override fun renderStringValue(value: String, additionalSpecialCharsToHighlight: String?, maxLength: Int) =
        renderValue(value)

    override fun renderComment(comment: String) = Unit

    override fun renderSpecialSymbol(symbol: String) = Unit

    override fun renderError(error: String) = renderValue(error)
}
