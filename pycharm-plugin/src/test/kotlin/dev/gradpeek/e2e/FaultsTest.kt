package dev.gradpeek.e2e

import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.Revealed
import dev.gradpeek.protocol.ShowRequest
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** What breaks while a question is under way, and what works after that. */
class FaultsTest {
    private val ide = Ide().also { it.showPanel() }
    private val look = Looking(ide)

    @AfterEach
    fun close() = ide.close()

    /** Asks what lasts until the gate opens, and waits until the program is there. */
    private fun begin(session: DebuggeeSession, expression: String): CompletableFuture<Revealed> {
        val asked = ide.backend.asked.request(Requests.SHOW, ShowRequest(session = null, expression))
        session.isAtGate()
        isUsable()
        assertFalse(asked.isDone)
        return asked
    }

    /** What waits for an answer on the EDT would wait here for ever: the gate is closed. */
    private fun isUsable() {
        onEdt {
            ide.panel.tree.collapseRow(0)
            ide.panel.tree.expandRow(0)
            ide.panel.tree.setSelectionRow(1)
        }
        look.search("weight")
        onEdt { ide.panel.tree.clearSelection() }
    }

    private fun <T : Any> CompletableFuture<T>.isOver() = handle { _, error -> error }.get(60, TimeUnit.SECONDS)

    @ParameterizedTest
    @EnumSource
    internal fun `a question under way outlasts neither the server, nor the stop, nor the program`(debugger: Debugger) {
        val session = debugger.begin(ide, "training")
        session.stopsAt("before backward")
        look.at("model", "0", "weight", words = "‖w‖ \\d")
        val server = ide.servers.single()
        val first = begin(session, "gate()")
        server.destroyForcibly()
        assertTrue(first.isOver() != null)
        assertEquals(GradPeekBundle.message("server.gone"), ide.balloons.take())
        look.saysInstead("the next stop tries again")
        session.openGate()

        session.resume()
        session.stopsAt("after backward")
        look.at("model", "0", "weight", words = "∇ \\d")
        assertNotEquals(server.pid(), ide.servers.single().pid())

        val second = begin(session, "gate()")
        session.resume()
        second.isOver()
        session.openGate()
        session.isAtGate() // Its own, after the first epoch.
        session.openGate()
        session.stopsAt("before backward")
        look.at("model", "0", "weight", words = "∇ none") // Else it would wait at the gate.

        val third = begin(session, "[gate()]")
        session.program.destroyForcibly()
        third.isOver()
        session.ends()
        look.saysInstead("Stop a PyTorch program")
        assertEquals(0, ide.balloons.size)
    }

    @Test
    fun `two sessions under two debuggers show their rows beside each other, and one can end`() {
        val one = Debugger.PYDEVD.begin(ide, "training")
        one.stopsAt("before backward")
        look.at("model", "0", "weight", words = "‖w‖ \\d")
        val other = Debugger.DEBUGPY.begin(ide, "hostile")
        other.stopsAt("hostile")
        look.at("hostile, debugpy", "small", words = "‖w‖ \\d")
        look.at("training, pydevd", "model", "0", "weight", words = "‖w‖ \\d")

        other.program.destroyForcibly()
        other.ends()
        one.resume()
        one.stopsAt("after backward")
        look.at("model", "0", "weight", words = "∇ \\d")
        println("two sessions: the longest event took ${ide.edt.longestMs} ms")
    }
}
