package dev.gradpeek.debug

import com.intellij.openapi.util.Disposer
import com.intellij.xdebugger.evaluation.XDebuggerEvaluator.XEvaluationCallback
import com.intellij.xdebugger.frame.XStackFrame
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.XValuePlace
import com.intellij.xdebugger.frame.presentation.XValuePresentation
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.failure
import dev.gradpeek.support.TestFrame
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.frameOf
import dev.gradpeek.support.whole
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import javax.swing.SwingUtilities

@Timeout(30)
class RelayTest {
    private val pool = Executors.newCachedThreadPool()
    private val stops = Stops { _, _ -> }
    private val relay = Relay(stops, pool)
    private val session = TestSession().also { SessionListener.listen(it, stops, Disposer.newDisposable()) }
    private val long = "GP1:4000:" + "x".repeat(4000)

    @AfterEach
    fun shutDown() {
        pool.shutdownNow()
    }

    private fun evaluate(frame: XStackFrame, expression: String = "x") =
        session.pause(frame).let { relay.evaluate(Evaluate("session-1", stops.current().stop, 1, expression)) }

    private val Snapshot.stop get() = (notifications.first().params as Stopped).stop

    private fun frame(present: (XValueNode) -> Unit) = TestFrame { _, callback ->
        callback.evaluated(object : XValue() {
            override fun computePresentation(node: XValueNode, place: XValuePlace) = present(node)
        })
    }

    @Test
    fun `a short text is as it is shown, a cut one as it is`() {
        assertEquals("True", evaluate(frameOf("True")).get().text)
        assertEquals(long, evaluate(frameOf(long)).get().text)
    }

    @Test
    fun `the whole text is had whenever it is offered`() {
        fun show(node: XValueNode) = node.setPresentation(null, "str", "GP1", false)
        fun offer(node: XValueNode) = node.setFullValueEvaluator(whole(long))
        val orders = listOf<(XValueNode) -> Unit>(
            { offer(it).also { _ -> show(it) } },
            { show(it).also { _ -> offer(it) } },
            { pool.execute { show(it).also { _ -> offer(it) } } },
            { offer(it).also { _ -> pool.execute { show(it) } } },
        )
        for (order in orders) assertEquals(long, evaluate(frame(order)).get().text)
    }

    @Test
    fun `a text that is shown later, without an offer, is taken`() {
        assertEquals("7", evaluate(frame { pool.execute { it.setPresentation(null, "int", "7", false) } }).get().text)
    }

    @Test
    fun `a text that is drawn is taken without its decoration`() {
        val drawn = object : XValuePresentation() {
            override fun renderValue(renderer: XValueTextRenderer) {
                renderer.renderComment("str, 3 characters ")
                renderer.renderStringValue("GP1")
                renderer.renderSpecialSymbol("…")
            }
        }
        assertEquals("GP1", evaluate(frame { it.setPresentation(null, drawn, false) }).get().text)
    }

    @Test
    fun `the debugger's words of refusal, and what it throws, arrive`() {
        val refuses = TestFrame { _, callback -> callback.errorOccurred("NameError: x") }
        val throws = TestFrame { _, _ -> error("no connection") }
        val mute = object : XStackFrame() {}
        assertEquals("NameError: x", failure(evaluate(refuses)).message)
        assertEquals("no connection", failure(evaluate(throws)).message)
        assertEquals("The debugger evaluates nothing in this frame.", failure(evaluate(mute)).message)
    }

    @Test
    fun `what is open when the program runs again is refused, and its value no longer wanted`() {
        val asked = CompletableFuture<XEvaluationCallback>()
        val answer = evaluate(TestFrame { _, callback -> asked.complete(callback) })
        val callback = asked.get()
        session.resume()
        assertEquals("The program runs.", failure(answer).message)
        var isShown = false
        callback.evaluated(object : XValue() {
            override fun computePresentation(node: XValueNode, place: XValuePlace) {
                isShown = true
            }
        })
        assertFalse(isShown)
    }

    @Test
    fun `the EDT is free while the debugger evaluates`() {
        val threads = CompletableFuture<Boolean>()
        val answer = CompletableFuture<CompletableFuture<*>>()
        val frame = TestFrame { _, callback ->
            threads.complete(SwingUtilities.isEventDispatchThread())
            callback.errorOccurred("done")
        }
        session.pause(frame)
        SwingUtilities.invokeLater { answer.complete(relay.evaluate(Evaluate("session-1", 1, 1, "x"))) }
        assertTrue(failure(answer.get()).message == "done")
        assertFalse(threads.get(), "evaluated on the EDT")
    }
}
