package dev.gradpeek

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.intellij.openapi.util.Disposer
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Order
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.Client
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.frameOf
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.util.Collections
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors

/** What a server is told and when it is started; the server itself only listens. */
@Timeout(30)
class BackendOptionsTest {
    private val pool = Executors.newCachedThreadPool()
    private val inOrder = Executors.newSingleThreadExecutor()
    private val servers = Collections.synchronizedList(ArrayList<Listening>())

    /** Completed by hand where a test wants a start to last. */
    private var start: () -> CompletableFuture<Unit> = { CompletableFuture.completedFuture(Unit) }

    private class Listening : Client {
        val told: MutableList<String> = Collections.synchronizedList(ArrayList())

        @Volatile
        var isStopped = false

        override fun request(method: String, params: JsonElement): CompletableFuture<JsonElement> {
            told.add(method)
            return CompletableFuture.completedFuture(JsonObject())
        }

        override fun notify(method: String, params: JsonElement) {
            told.add(if (method == "gradpeek/configure") "$method $params" else method)
        }

        override fun stop() {
            isStopped = true
        }
    }

    private inner class Screen : Shown {
        @Volatile
        override var options = Options(
            visible = true,
            console = true,
            Order.MODEL,
            hidePlain = false,
            onlyProblems = false,
            callers = false,
        )
        var atStop: () -> Unit = {}
        val changes: MutableList<Changed> = Collections.synchronizedList(ArrayList())

        override fun stopped(params: Stopped) = atStop()

        override fun changed(params: Changed) {
            changes.add(params)
        }

        override fun status(params: Status) = Unit

        override fun progress(params: JsonElement) = Unit

        override fun failed(error: ServerUnavailableError) = throw AssertionError(error)
    }

    private val screen = Screen()
    private val backend = Backend(
        { start().thenApply { Listening().also(servers::add) } },
        pool,
        inOrder,
        screen,
    )

    private fun session(language: String = "Python") =
        TestSession(language).also { SessionListener.listen(it, backend.stops, Disposer.newDisposable()) }

    /** Sees to it that all that has happened so far is told. */
    private fun settle() = repeat(3) { inOrder.submit {}.get() }

    private fun configured(options: Options = screen.options) = "gradpeek/configure " +
        """{"visible":${options.visible},"console":true,"order":"${options.order.name.lowercase()}",""" +
        """"hide_plain":false,"only_problems":false,"callers":false}"""

    @AfterEach
    fun close() {
        backend.close()
        inOrder.shutdown()
        pool.shutdown()
    }

    @Test
    fun `a changed option is told at once, and one that has not changed is not`() {
        session().pause(frameOf("1"))
        settle()
        backend.configure()
        screen.options = screen.options.copy(order = Order.SIZE)
        backend.configure()
        backend.configure()
        settle()
        val first = configured(screen.options.copy(order = Order.MODEL))
        assertEquals(listOf(first, "gradpeek/stopped", "gradpeek/frame", configured()), servers.single().told)
    }

    @Test
    fun `that a stop is not looked at by itself is told before the stop`() {
        val session = session()
        session.pause(frameOf("1"))
        settle()
        servers.single().told.clear()
        screen.atStop = { screen.options = screen.options.copy(visible = false) }
        session.resume()
        session.pause(frameOf("1"))
        settle()
        val told = servers.single().told.toList()
        assertEquals(listOf("gradpeek/continued", configured(), "gradpeek/stopped"), told)
    }

    @Test
    fun `a stop of another language starts nothing by itself, and is looked at when it is asked for`() {
        val session = session("Rust")
        session.pause(frameOf("1"))
        settle()
        assertEquals(0, servers.size)
        assertTrue(screen.changes.isNotEmpty())
        backend.asked.request(Requests.ROOTS, RootsRequest())
        settle()
        assertEquals("gradpeek/roots", servers.single().told.last())
    }

    @Test
    fun `a stop of Python starts it where somebody looks or the console is to have its function`() {
        val table = listOf(Triple(false, false, 0), Triple(true, false, 1), Triple(false, true, 1))
        for ((isVisible, isForConsole, started) in table) {
            servers.clear()
            screen.options = screen.options.copy(visible = isVisible, console = isForConsole)
            session().pause(frameOf("1"))
            settle()
            assertEquals(started, servers.size, "$isVisible $isForConsole")
            backend.server.restart()
        }
    }

    @Test
    fun `another interpreter ends the server, and the next question starts one that knows the stop`() {
        session().pause(frameOf("1"))
        settle()
        backend.server.restart()
        assertTrue(servers.single().isStopped)
        assertFalse(backend.server.isRunning)
        backend.asked.request(Requests.ROOTS, RootsRequest())
        settle()
        assertEquals(2, servers.size)
        assertEquals(listOf(configured(), "gradpeek/stopped", "gradpeek/frame", "gradpeek/roots"), servers[1].told)
    }

    @Test
    fun `a server that starts in the interpreter of before is ended, and who waits for it is answered by the next`() {
        val first = CompletableFuture<Unit>()
        start = { first }
        val answer = backend.server.request(Requests.ROOTS, RootsRequest())
        backend.server.restart()
        start = { CompletableFuture.completedFuture(Unit) }
        first.complete(Unit)
        answer.handle { _, _ -> }.get()
        settle()
        assertEquals(listOf(true, false), servers.map { it.isStopped })
        assertEquals("gradpeek/roots", servers[1].told.last())
    }

    @Test
    fun `work is cancelled by its token`() {
        session().pause(frameOf("1"))
        settle()
        backend.server.cancel(com.google.gson.JsonPrimitive("token"))
        assertEquals("window/workDoneProgress/cancel", servers.single().told.last())
    }
}
