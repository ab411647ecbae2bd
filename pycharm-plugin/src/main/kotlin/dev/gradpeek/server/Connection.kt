package dev.gradpeek.server

import com.google.gson.JsonElement
import com.google.gson.JsonNull
import com.google.gson.JsonObject
import com.google.gson.JsonParseException
import com.google.gson.JsonParser
import com.google.gson.JsonPrimitive
import com.intellij.openapi.diagnostic.Logger
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executor
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private const val CANCEL = "$/cancelRequest"

/** What the other side of a connection asks and says. */
internal interface Peer {
    /** Answers a request, on a pooled thread; a RefusedError, thrown or in the stage, refuses it. */
    fun asked(method: String, params: JsonElement): CompletionStage<JsonElement>

    /** Hears a notification, in the order of sending, on the thread that reads: it must not wait. */
    fun told(method: String, params: JsonElement)

    /** The connection is over; called once. */
    fun closed(reason: String)
}

/**
 * JSON-RPC 2.0 over two streams, as language servers speak it: https://www.jsonrpc.org/specification
 *
 * Nothing here waits for the other side: what is sent goes through a queue in the order of the calls,
 * so every function may be called on the EDT.
 */
internal class Connection(
    private val input: InputStream,
    private val output: OutputStream,
    private val peer: Peer,
    private val pool: Executor,
) : AutoCloseable {
    private val ids = AtomicInteger()
    private val pending = ConcurrentHashMap<Int, CompletableFuture<JsonElement>>()
    private val answering = ConcurrentHashMap<JsonElement, CompletableFuture<*>>()
    private val outgoing = LinkedBlockingQueue<ByteArray>()
    private val isClosed = AtomicBoolean()
    private val writer = thread(start = false, isDaemon = true, name = "GradPeek to server") { write() }
    private val reader = thread(start = false, isDaemon = true, name = "GradPeek from server") { read() }

    /** Begins to read and to write. */
    fun open() {
        writer.start()
        reader.start()
    }

    /**
     * The answer to a request; RefusedError where the other side refuses, ConnectionClosedError where
     * the connection ends before it answers. Cancelling the future asks the other side to leave it.
     */
    fun request(method: String, params: JsonElement): CompletableFuture<JsonElement> {
        val id = ids.incrementAndGet()
        val answer = CompletableFuture<JsonElement>()
        pending[id] = answer
        answer.whenComplete { _, _ ->
            pending.remove(id)
            if (answer.isCancelled) notify(CANCEL, JsonObject().apply { addProperty("id", id) })
        }
        // Closing fails what is pending once; what came later has to see it here.
        if (isClosed.get()) {
            answer.completeExceptionally(closedError())
        } else {
            send(call(method, params, JsonPrimitive(id)))
        }
        return answer
    }

    /** Tells the other side something; nothing happens where the connection is over. */
    fun notify(method: String, params: JsonElement) {
        if (!isClosed.get()) send(call(method, params, id = null))
    }

    override fun close() = close("The connection was closed.")

    private fun close(reason: String) {
        if (!isClosed.compareAndSet(false, true)) return
        writer.interrupt()
        // Both may wait for the process behind them, which whoever closes this ends.
        pool.execute {
            for (stream in listOf(input, output)) {
                try {
                    stream.close()
                } catch (error: IOException) {
                    LOG.debug(error)
                }
            }
        }
        // First: whoever sees a request fail can rely on it that the peer knows why.
        peer.closed(reason)
        for (answer in pending.values.toList()) answer.completeExceptionally(closedError())
        for (answer in answering.values.toList()) answer.cancel(false)
    }

    private fun send(message: JsonObject) {
        outgoing.add(framed(message.toString()))
    }

    private fun write() {
        try {
            while (true) {
                output.write(outgoing.take())
                if (outgoing.isEmpty()) output.flush()
            }
        } catch (_: InterruptedException) {
            return
        } catch (error: IOException) {
            close("Writing failed: ${error.message}")
        }
    }

    private fun read() {
        val messages = MessageReader(input.buffered())
        val reason = try {
            generateSequence(messages::next).forEach { received(JsonParser.parseString(it)) }
            "The server has closed the connection."
        } catch (error: IOException) {
            "Reading failed: ${error.message}"
        } catch (error: JsonParseException) {
            "The server said what is not JSON: ${error.message}"
        }
        close(reason)
    }

    private fun received(message: JsonElement) {
        if (message !is JsonObject) return
        val id = message["id"]?.takeUnless { it.isJsonNull }
        val method = (message["method"] as? JsonPrimitive)?.asString
        val params = message["params"] ?: JsonNull.INSTANCE
        when {
            method == CANCEL -> answering[(params as? JsonObject)?.get("id")]?.cancel(false)
            method != null && id != null -> answer(id, method, params)
            method != null -> try {
                peer.told(method, params)
            } catch (error: Exception) { // One bad word must not end the conversation.
                LOG.warn("$method was not understood", error)
            }
            id != null -> answered(id, message)
        }
    }

    private fun answered(id: JsonElement, message: JsonObject) {
        val answer = (id as? JsonPrimitive)?.takeIf { it.isNumber }?.let { pending[it.asInt] } ?: return
        val error = message["error"] as? JsonObject
        if (error == null) {
            answer.complete(message["result"] ?: JsonNull.INSTANCE)
        } else {
            val code = (error["code"] as? JsonPrimitive)?.takeIf { it.isNumber }?.asInt ?: RefusedError.INTERNAL_ERROR
            answer.completeExceptionally(RefusedError((error["message"] as? JsonPrimitive)?.asString.orEmpty(), code))
        }
    }

    private fun answer(id: JsonElement, method: String, params: JsonElement) {
        val begun = CompletableFuture<JsonElement>()
        answering[id] = begun
        begun.whenComplete { result, error ->
            answering.remove(id)
            if (!isClosed.get()) send(response(id, method, result, error))
        }
        pool.execute {
            if (begun.isDone) return@execute
            try {
                val stage = peer.asked(method, params).toCompletableFuture()
                begun.whenComplete { _, _ -> if (begun.isCancelled) stage.cancel(false) }
                stage.whenComplete { result, error ->
                    if (error == null) begun.complete(result) else begun.completeExceptionally(error)
                }
            } catch (error: Exception) { // Whatever it is, the other side waits for an answer.
                begun.completeExceptionally(error)
            }
        }
    }

    private fun response(id: JsonElement, method: String, result: JsonElement?, error: Throwable?): JsonObject {
        val message = JsonObject()
        message.addProperty("jsonrpc", "2.0")
        message.add("id", id)
        if (error == null) {
            message.add("result", result ?: JsonNull.INSTANCE)
            return message
        }
        val cause = if (error is CompletionException) error.cause ?: error else error
        val (code, words) = when (cause) {
            is RefusedError -> cause.code to cause.message
            is CancellationException -> RefusedError.REQUEST_CANCELLED to "cancelled"
            else -> RefusedError.INTERNAL_ERROR to cause.toString().also { LOG.warn("$method failed", cause) }
        }
        val refusal = JsonObject()
        refusal.addProperty("code", code)
        refusal.addProperty("message", words.orEmpty())
        message.add("error", refusal)
        return message
    }

    private fun call(method: String, params: JsonElement, id: JsonElement?): JsonObject {
        val message = JsonObject()
        message.addProperty("jsonrpc", "2.0")
        if (id != null) message.add("id", id)
        message.addProperty("method", method)
        message.add("params", params)
        return message
    }

    private fun closedError() = ConnectionClosedError("The connection to the server is over.")

    private companion object {
        val LOG = Logger.getInstance(Connection::class.java)
    }
}
