package dev.gradpeek.e2e

import com.google.gson.JsonParser
import dev.gradpeek.debug.Relay
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.RefusedError
import dev.gradpeek.server.failure
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import kotlin.math.abs

/** Rows of a training program, from its first stop to its end. */
class TrainingTest {
    private val ide = Ide()
    private val look = Looking(ide)

    @AfterEach
    fun close() = ide.close()

    private fun weight(words: String) = look.at("model", "0", "weight", words = words)

    @ParameterizedTest
    @EnumSource
    internal fun `rows follow a program from stop to stop`(debugger: Debugger) {
        val session = debugger.begin(ide, "training")
        session.stopsAt("before backward")
        val untouched = session.ask(STATE)
        ide.showPanel()
        val first = weight("‖w‖ \\d.* no backward yet")
        showsWhatIsThere(session)
        assertEquals(untouched, session.ask(STATE))

        session.resume()
        session.stopsAt("after backward")
        assertEquals(first.id, weight("∇ \\d").id)
        numbersAreTorchs(session)
        look.paint("training-${debugger.name.lowercase()}")
        val printed = session.type("grads(model)")
        assertTrue("weight  [3,4] float32" in printed, printed)
        pins(session)

        val before = session.ask(STATE)
        session.stepOver()
        session.nextStop()
        val cleared = weight("∇ none")
        assertEquals(first.id, cleared.id)
        assertNotEquals(before, session.ask(STATE))
        look.statistics("model", "0", "weight", words = "its gradient was cleared")

        session.type("model[0].weight.data.fill_(2.0)")
        ide.refresh()
        weight("‖w‖ 6\\.93")
        session.select(session.frames.first { it.function == "main" })
        look.at("teacher", "weight", words = "\\[2,4].*‖w‖ \\d")
        session.select(session.frames.first())
        weight("‖w‖ 6\\.93")

        isStaleWhileItRuns(session)
        session.openGate()
        session.stopsAt("before backward")
        weight("∇ none")
        // Asked for twice: when it was pinned, and when everything was refreshed.
        assertEquals("2", session.ask("self.calls"))
        session.resume()
        session.stopsAt("after backward")
        weight("∇ \\d")
        session.resume()
        session.nextStop()
        assertEquals("main", session.frames.first().function)
        look.at("teacher", "weight", words = "\\[2,4].*‖w‖ \\d")
        session.runsOut()
        look.saysInstead("Stop a PyTorch program")
        println("$debugger: ${session.replies.size} replies, the longest event took ${ide.edt.longestMs} ms")
    }

    /** The rows have the names and shapes that torch itself gives. */
    private fun showsWhatIsThere(session: DebuggeeSession) {
        look.at("model", "2", "weight", words = "‖w‖ \\d")
        val drawn = look.lines().filter { "no backward" in it && Regex("^ {4}\\w") in it }
        val names =
            session.ask("[n.split('.')[1] + '  ' + str(list(p.shape)).replace(' ', '') for n, p in $PARAMETERS]")
        val expected = JsonParser.parseString(names).asJsonArray.map { it.asString }
        assertEquals(expected, drawn.map { it.trim().substringBefore("  float32") })
    }

    /** The table agrees with what torch itself says in the program, to the digits that are shown. */
    private fun numbersAreTorchs(session: DebuggeeSession) {
        val torch = JsonParser.parseString(session.ask(NUMBERS).replace('(', '[').replace(')', ']')).asJsonArray
        val table = look.statistics("model", "0", "weight", words = "max |x|").lines().map { it.split('\t') }
        for ((column, numbers) in torch.withIndex()) {
            for ((row, number) in listOf("norm", "mean", "std", "min", "max").zip(numbers.asJsonArray)) {
                val expected = number.asDouble
                val shown = table.single { it.first() == row }[column + 1].toDouble()
                assertEquals(expected, shown, 0.005 * abs(expected) + 1e-9, "$row in column $column")
            }
        }
    }

    private fun pins(session: DebuggeeSession) {
        val quoted = """texts["it's \"ü\"\n\\ ∇"]"""
        onEdt { ide.showing.show(quoted) }
        val pinned = look.until("Nothing is pinned") {
            ide.panel.selected?.takeIf { it.pinned && Regex("∇ \\d") in look.lines().first() }
        }
        assertEquals(quoted, pinned.expression)
        onEdt { ide.showing.show("(model\n  [0].weight)") }
        look.until("Nothing is pinned") { ide.panel.selected?.takeIf { it.pinned && it.id != pinned.id } }

        onEdt { ide.showing.show("self.sample()") }
        look.until("The call is not shown") { ide.panel.selected?.takeIf { "sample" in it.label } }
        assertEquals("1", session.ask("self.calls"))
        onEdt { ide.showing.show("1 / 0") }
        look.until("The error is not shown") { true.takeIf { look.lines().any { "division by zero" in it } } }
    }

    private fun isStaleWhileItRuns(session: DebuggeeSession) {
        val stop = ide.backend.stops.current().notifications.first().params as Stopped
        session.resume()
        look.until("The rows are not stale") {
            true.takeIf { look.row(arrayOf("model", "0", "weight"))?.node?.stale == true }
        }
        val asked = Relay(ide.backend.stops, ide.pool).evaluate(Evaluate(stop.session, stop.stop, stop.frame, "1"))
        assertTrue(failure(asked) is RefusedError)
    }

    private companion object {
        const val PARAMETERS = "model.named_parameters()"

        /** What a look must leave as it is. */
        const val STATE = "(hash(bytes(torch.get_rng_state().tolist())), torch.is_grad_enabled(), " +
            "[(p._version, p.tolist(), p.grad is not None and p.grad.tolist()) for p in model.parameters()])"

        const val NUMBERS = "[(t.norm().item(), t.mean().item(), t.std(correction=0).item(), t.min().item(), " +
            "t.max().item()) for t in (model[0].weight.detach().double(), model[0].weight.grad.double())]"
    }
}
