package dev.gradpeek.e2e

import com.google.gson.JsonParser
import dev.gradpeek.debug.Relay
import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.RefusedError
import dev.gradpeek.server.failure
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Rows of a training program, from its first stop to its end. */
class TrainingTest {
    private val ide = Ide()
    private val edt = WatchedEdt()

    @AfterEach
    fun close() {
        ide.close()
        edt.close()
        assertEquals(emptyList<String>(), edt.wrongs)
    }

    private fun shown(vararg path: String, words: Regex): Node =
        ide.until("$words at ${path.toList()}") { ide.find(*path)?.takeIf { words in it.text && !it.stale } }

    private fun weight(words: String): Node = shown("model", "0", "weight", words = Regex(words))

    @ParameterizedTest
    @EnumSource
    fun `rows follow a program from stop to stop`(debugger: Debugger) {
        ide.configure { it.copy(visible = false, console = false) }
        val session = debugger.begin(ide, "training")
        session.stopsAt("before backward")
        val untouched = session.ask(STATE)
        assertEquals(0, session.replies.size, "a stop that nobody looks at costs something")

        ide.configure { it.copy(visible = true, console = true) }
        val first = weight("no backward")
        assertEquals("[('0.weight', [3, 4]), ('0.bias', [3]), ('2.weight', [1, 3]), ('2.bias', [1])]", session.ask(NAMES))
        assertEquals(listOf("0", "1", "2"), ide.children(ide.find("model")!!).map { it.label })
        assertEquals(listOf("weight", "bias"), ide.children(ide.find("model", "0")!!).map { it.label })
        weight("‖w‖ \\d")
        assertEquals(untouched, session.ask(STATE))

        session.resume()
        session.stopsAt("after backward")
        val second = weight("∇ \\d")
        assertEquals(first.id, second.id)
        numbersAreTorchs(session, ide.details(second))
        assertTrue("0.weight" !in session.type("grads(model)").lines().first())
        assertTrue("weight  [3,4] float32" in session.type("grads(model)"))

        val before = session.ask(STATE)
        session.stepOver()
        session.nextStop()
        val cleared = weight("∇ none")
        assertEquals(second.id, cleared.id)
        assertTrue("its gradient was cleared" in ide.details(cleared).notes.first())
        assertNotEquals(before, session.ask(STATE))

        session.type("model[0].weight.data.fill_(2.0)")
        ide.ask(Requests.REFRESH, RootsRequest())
        weight("‖w‖ 6\\.93")

        session.select(session.frames.first { it.function == "main" })
        assertTrue("[2,4]" in shown("teacher", "weight", words = Regex("‖w‖ \\d")).text)
        session.select(session.frames.first())
        weight("‖w‖ 6\\.93")

        staleWhileItRuns(session)
        session.openGate()
        session.stopsAt("before backward")
        weight("∇ none")
        session.resume()
        session.stopsAt("after backward")
        weight("∇ \\d")
        session.resume()

        session.nextStop()
        assertEquals("main", session.frames.first().function)
        assertTrue("[2,4]" in shown("teacher", "weight", words = Regex("‖w‖ \\d")).text)
        session.runsOut()
        assertEquals(ViewState.NO_SESSION, ide.until("the end") { ide.roots().state.takeIf { it != ViewState.SHOWN } })
    }

    private fun staleWhileItRuns(session: DebuggeeSession) {
        val stop = ide.backend.stops.current().notifications.first().params as dev.gradpeek.protocol.Stopped
        session.resume()
        val model = ide.until("stale rows") { ide.find("model")?.takeIf { it.stale } }
        assertTrue(ide.children(model).all { it.stale })
        val asked = Relay(ide.backend.stops, ide.pool).evaluate(Evaluate(stop.session, stop.stop, stop.frame, "1"))
        assertTrue(failure(asked) is RefusedError)
    }

    /** The table agrees with what torch itself says in the program, to the digits that are shown. */
    private fun numbersAreTorchs(session: DebuggeeSession, details: Details) {
        val torch = JsonParser.parseString(session.ask(NUMBERS).replace('(', '[').replace(')', ']')).asJsonArray
        val shown = details.rows.associate { it.name to it.texts }
        for ((column, numbers) in torch.withIndex()) {
            for ((row, number) in listOf("norm", "mean", "std", "min", "max").zip(numbers.asJsonArray)) {
                val expected = number.asDouble
                val got = shown.getValue(row)[column].toDouble()
                assertEquals(expected, got, 0.005 * kotlin.math.abs(expected) + 1e-9, "$row of ${details.columns[column]}")
            }
        }
    }

    private companion object {
        const val NAMES = "[(n, list(p.shape)) for n, p in model.named_parameters()]"

        /** What a look must leave as it is. */
        const val STATE = "(hash(bytes(torch.get_rng_state().tolist())), torch.is_grad_enabled(), " +
            "[(p._version, p.tolist(), id(p.grad), p.grad is not None and p.grad.tolist()) for p in model.parameters()])"

        const val NUMBERS = "[(t.norm().item(), t.mean().item(), t.std(correction=0).item(), t.min().item(), " +
            "t.max().item()) for t in (model[0].weight.detach().double(), model[0].weight.grad.double())]"
    }
}
