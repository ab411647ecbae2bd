package dev.gradpeek.debug

import com.intellij.openapi.util.Disposer
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.FrameSelected
import dev.gradpeek.protocol.Session
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.RefusedError
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.frameOf
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

class StopsTest {
    private val said = ArrayList<Pair<String, Any>>()
    private val stops = Stops { notification, _ -> said.add(short(notification)) }
    private val session = listenedTo(TestSession())
    private val top = frameOf("top")
    private val caller = frameOf("caller")

    private fun short(notification: StopNotification<*>) =
        notification.method.method.removePrefix("gradpeek/") to notification.params

    private fun listenedTo(session: TestSession) =
        session.also { SessionListener.listen(it, stops, Disposer.newDisposable()) }

    private fun stopped(number: Int) = "stopped" to Stopped("session-1", number, frame = 1, "train", "python")

    @Test
    fun `a stop, a step and the end are each said once`() {
        session.pause(top)
        session.resume()
        session.pause(frameOf("next"))
        session.resume()
        session.end()
        session.end()
        val continued = "continued" to Session("session-1")
        assertEquals(listOf(stopped(1), continued, stopped(2), continued, "ended" to Session("session-1")), said)
    }

    @Test
    fun `a frame is said when it is selected, by the id it had before`() {
        session.pause(top)
        session.select(caller)
        session.select(caller)
        session.select(top)
        val frames = listOf(2, 1).map { "frame" to FrameSelected("session-1", 1, it) }
        assertEquals(listOf(stopped(1)) + frames, said)
        assertSame(caller, stops.at(Evaluate("session-1", 1, 2, "x")).second)
    }

    @Test
    fun `a stop whose frame comes later is said then`() {
        session.pause(null)
        assertEquals(emptyList<Any>(), said)
        session.select(top)
        assertEquals(listOf(stopped(1)), said)
    }

    @Test
    fun `a session that never stopped ends in silence, as nobody heard of it`() {
        session.end()
        assertEquals(emptyList<Any>(), said)
    }

    @Test
    fun `a session that had stopped before anybody listened is said`() {
        val early = TestSession("Rust").apply { pause(top) }
        listenedTo(early)
        assertEquals(listOf("stopped" to Stopped("session-2", 1, 1, "train", "Rust")), said)
    }

    @Test
    fun `one that comes late hears of all stops that last and of the selected frame`() {
        val other = listenedTo(TestSession())
        session.pause(top)
        other.pause(top)
        session.select(caller)
        other.resume()
        val current = stops.current()
        assertEquals(
            listOf(stopped(1), "frame" to FrameSelected("session-1", 1, 2)),
            current.notifications.map(::short),
        )
        assertEquals(said.size.toLong(), current.number)
    }

    @Test
    fun `nothing is evaluated outside of the present stop`() {
        session.pause(top)
        val refusals = mapOf(
            Evaluate("session-9", 1, 1, "x") to "The debug session is over.",
            Evaluate("session-1", 2, 1, "x") to "The program has stopped elsewhere since.",
            Evaluate("session-1", 1, 7, "x") to "There is no such frame at this stop.",
        )
        for ((params, words) in refusals) {
            assertEquals(words, assertThrows(RefusedError::class.java) { stops.at(params) }.message)
        }
        session.resume()
        val running = assertThrows(RefusedError::class.java) { stops.at(Evaluate("session-1", 1, 1, "x")) }
        assertEquals("The program runs.", running.message)
    }
}
