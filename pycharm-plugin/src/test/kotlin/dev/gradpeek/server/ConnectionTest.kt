package dev.gradpeek.server

import com.google.gson.JsonElement
import com.google.gson.JsonNull
import com.google.gson.JsonPrimitive
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.io.PipedInputStream
import java.io.PipedOutputStream
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue

@Timeout(30)
class ConnectionTest {
    private val pool = Executors.newCachedThreadPool()

    private inner class Side(input: PipedInputStream, output: PipedOutputStream) : Peer {
        val connection = Connection(input, output, this, pool)
        val heard = LinkedBlockingQueue<String>()
        val ended = CompletableFuture<String>()
        val asked = LinkedBlockingQueue<String>()
        var answer: (JsonElement) -> CompletionStage<JsonElement> = { CompletableFuture.completedFuture(it) }

        override fun asked(method: String, params: JsonElement): CompletionStage<JsonElement> {
            asked.add(method)
            return answer(params)
        }

        override fun told(method: String, params: JsonElement) {
            heard.add("$method $params")
        }

        override fun closed(reason: String) {
            ended.complete(reason)
        }
    }

    private val toServer = PipedInputStream(1 shl 16)
    private val toEditor = PipedInputStream(1 shl 16)
    private val toServerEnd = PipedOutputStream(toServer)
    private val toEditorEnd = PipedOutputStream(toEditor)
    private val editor = Side(toEditor, toServerEnd)
    private val server = Side(toServer, toEditorEnd)

    init {
        editor.connection.open()
        server.connection.open()
    }

    @AfterEach
    fun close() {
        editor.connection.close()
        server.connection.close()
        pool.shutdownNow()
    }

    @Test
    fun `an answer comes to its own question, whatever the order`() {
        val later = CompletableFuture<JsonElement>()
        server.answer = { if (it.asInt == 1) later else CompletableFuture.completedFuture(it) }
        val first = editor.connection.request("ask", JsonPrimitive(1))
        assertEquals(2, editor.connection.request("ask", JsonPrimitive(2)).get().asInt)
        later.complete(JsonPrimitive("late"))
        assertEquals("late", first.get().asString)
    }

    @Test
    fun `texts of any script and length arrive as they were`() {
        val text = "∇ 梯度 \uD83D\uDD25 \u0000\r\n".repeat(20_000)
        assertEquals(text, editor.connection.request("ask", JsonPrimitive(text)).get().asString)
    }

    @Test
    fun `both sides ask at once, and one asks while it answers`() {
        server.answer = { server.connection.request("evaluate", it) }
        editor.answer = { CompletableFuture.completedFuture(JsonPrimitive("<${it.asString}>")) }
        assertEquals("<1 + 1>", editor.connection.request("ask", JsonPrimitive("1 + 1")).get().asString)
    }

    @Test
    fun `notifications and requests keep the order in which they were sent`() {
        for (number in 1..100) editor.connection.notify("note", JsonPrimitive(number))
        editor.connection.request("ask", JsonNull.INSTANCE).get()
        assertEquals((1..100).map { "note $it" }, server.heard.toList())
    }

    @Test
    fun `a refusal arrives with its words, and other errors as what they are`() {
        server.answer = { throw RefusedError("no such node", 7) }
        val refused = failure(editor.connection.request("ask", JsonNull.INSTANCE)) as RefusedError
        assertEquals(listOf("no such node", 7), listOf(refused.message, refused.code))
        server.answer = { error("a bug") }
        val bug = failure(editor.connection.request("ask", JsonNull.INSTANCE)) as RefusedError
        assertTrue("a bug" in bug.message!!, bug.message)
        assertEquals(RefusedError.INTERNAL_ERROR, bug.code)
    }

    @Test
    fun `who cancels a question cancels it on the other side, too`() {
        val work = CompletableFuture<JsonElement>()
        server.answer = { work }
        val answer = editor.connection.request("ask", JsonNull.INSTANCE)
        server.asked.take()
        answer.cancel(false)
        assertThrows(Exception::class.java) { work.get() }
        assertTrue(work.isCancelled)
    }

    @Test
    fun `all that is open fails when the other side ends`() {
        server.answer = { CompletableFuture() }
        val open = List(3) { editor.connection.request("ask", JsonNull.INSTANCE) }
        repeat(3) { server.asked.take() }
        server.connection.close()
        for (answer in open) assertTrue(failure(answer) is ConnectionClosedError)
        editor.ended.get()
        assertTrue(failure(editor.connection.request("ask", JsonNull.INSTANCE)) is ConnectionClosedError)
    }

    @Test
    fun `a side that says what is no message is left`() {
        toEditorEnd.write("Traceback (most recent call last):\n\n".encodeToByteArray())
        toEditorEnd.flush()
        assertTrue("length" in editor.ended.get(), editor.ended.get())
    }
}

/** What a future fails with. */
internal fun failure(future: CompletableFuture<*>): Throwable =
    assertThrows(ExecutionException::class.java) { future.get() }.cause!!
