package dev.gradpeek.server

import com.google.gson.JsonElement
import com.google.gson.JsonNull
import com.google.gson.JsonObject
import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.GradPeekBundle
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.EditorNotifications
import dev.gradpeek.protocol.EditorRequests
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Notification
import dev.gradpeek.protocol.Request
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Text
import dev.gradpeek.protocol.Wire
import dev.gradpeek.protocol.WireError
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import java.util.concurrent.Executor

/** What the server asks for and says, and what becomes of it. */
interface Handlers {
    /** Evaluates for the server, on a pooled thread. */
    fun evaluate(params: Evaluate): CompletableFuture<Text>

    fun changed(params: Changed)

    fun status(params: Status)

    /** Work that lasts: the params of a `$/progress` of the Language Server Protocol. */
    fun progress(params: JsonElement)

    /** It runs; called before anything that was asked meanwhile is sent. */
    fun started(client: Told)

    /** It could not start or is gone; once until `retry`. */
    fun failed(error: ServerUnavailableError)
}

/** Something that can be told what has happened. */
interface Told {
    fun <P : Any> notify(method: Notification<P>, params: P)
}

/** Somebody who answers what is asked. */
interface Answers {
    /** Whether a server runs that may know something. */
    val isRunning: Boolean

    /** Allows another start after a failure. */
    fun retry()

    /**
     * The server's answer; starts it where needed. Fails with ServerUnavailableError where there is no
     * server, or it is gone before it answers, with RefusedError where it refuses, and with WireError
     * where the answer is none. Cancelling the future asks the server to leave it.
     */
    fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R>
}

/** Starts a server that speaks with the peer, without waiting; the future fails with ServerError. */
internal fun interface Connect {
    fun connect(peer: Peer): CompletableFuture<out Client>
}

/**
 * The language server: started when something is asked of it, and after a failure only when `retry` has
 * been called, so that it starts at most once a stop. Nothing here waits; any thread may call.
 *
 * @param inOrder where the handlers hear that it runs, and only then it does: what is told from there is
 *   told either before or after that.
 */
internal class Server(
    private val connect: Connect,
    private val handlers: Handlers,
    private val inOrder: Executor,
) : Told, Answers, AutoCloseable {
    private val lock = Any()
    private var client: Client? = null
    private var starting: CompletableFuture<Client>? = null
    private var failure: String? = null
    private var isClosed = false

    /** Whether what is starting is no longer what is wanted. */
    private var isOutdated = false

    override val isRunning: Boolean get() = synchronized(lock) { client != null }

    override fun retry() = synchronized(lock) { failure = null }

    /** Starts it, where it neither runs nor has failed; the handlers hear what comes of it. */
    fun start() {
        ensure()
    }

    override fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R> {
        val answer = CompletableFuture<R>()
        ensure().whenComplete { client, error ->
            when {
                error != null -> answer.completeExceptionally(cause(error))
                !answer.isDone -> {
                    val sent = client.request(method.method, Wire.encode(params))
                    answer.whenComplete { _, _ -> if (answer.isCancelled) sent.cancel(false) }
                    sent.whenComplete { result, refusal -> answer.settle(method, result, refusal) }
                }
            }
        }
        return answer
    }

    private fun <R : Any> CompletableFuture<R>.settle(method: Request<*, R>, result: JsonElement?, error: Throwable?) {
        when (val cause = error?.let(::cause)) {
            null -> try {
                complete(Wire.decode(result ?: JsonNull.INSTANCE, method.result))
            } catch (wrong: WireError) {
                completeExceptionally(wrong)
            }
            is ConnectionClosedError -> completeExceptionally(gone())
            else -> completeExceptionally(cause)
        }
    }

    /** Tells the server, where it runs: one that starts later is told how things are then. */
    override fun <P : Any> notify(method: Notification<P>, params: P) {
        synchronized(lock) { client }?.notify(method.method, Wire.encode(params))
    }

    /** Asks the server to leave the work of that token, as the Language Server Protocol has it. */
    fun cancel(work: JsonElement) {
        val params = JsonObject().apply { add("token", work) }
        synchronized(lock) { client }?.notify("window/workDoneProgress/cancel", params)
    }

    /** Ends the one that runs; the next question starts another, and so does one that is starting now. */
    fun restart() {
        val last = synchronized(lock) {
            failure = null
            isOutdated = starting != null
            client.also { client = null }
        }
        last?.stop()
    }

    override fun close() {
        val last = synchronized(lock) {
            isClosed = true
            client.also { client = null }
        }
        last?.stop()
    }

    private fun ensure(): CompletableFuture<Client> {
        val launch: CompletableFuture<Client>
        synchronized(lock) {
            client?.let { return CompletableFuture.completedFuture(it) }
            if (isClosed) return CompletableFuture.failedFuture(gone())
            failure?.let { return CompletableFuture.failedFuture(ServerUnavailableError(it)) }
            starting?.let { return it }
            launch = CompletableFuture()
            starting = launch
        }
        launch(launch)
        return launch
    }

    private fun launch(launch: CompletableFuture<Client>) {
        val peer = FromServer()
        try {
            connect.connect(peer)
        } catch (error: Exception) { // Whatever it is, somebody waits for the server.
            CompletableFuture.failedFuture(error)
        }.whenCompleteAsync(
            { ready, error ->
                when {
                    isOutdated() -> {
                        ready?.stop()
                        launch(launch)
                    }
                    error == null -> arrived(ready, peer, launch)
                    else -> failedToStart(cause(error), launch)
                }
            },
            inOrder,
        )
    }

    private fun isOutdated() = synchronized(lock) { isOutdated.also { isOutdated = false } }

    private fun arrived(ready: Client, peer: FromServer, launch: CompletableFuture<Client>) {
        val isWanted = synchronized(lock) { !isClosed && peer.isAlive }
        if (isWanted) {
            handlers.started(object : Told {
                override fun <P : Any> notify(method: Notification<P>, params: P) =
                    ready.notify(method.method, Wire.encode(params))
            })
        }
        val runs = synchronized(lock) {
            (isWanted && !isClosed && peer.isAlive).also {
                if (it) {
                    client = ready
                    peer.server = ready
                    starting = null
                }
            }
        }
        if (runs) {
            launch.complete(ready)
        } else {
            ready.stop()
            failedToStart(gone(), launch)
        }
    }

    private fun failedToStart(error: Throwable, launch: CompletableFuture<Client>) {
        val said = if (error is ServerUnavailableError) {
            error
        } else {
            val reason = error.message ?: error.toString()
            ServerUnavailableError(GradPeekBundle.message("server.not.started", reason), error)
        }
        fail(said)
        launch.completeExceptionally(said)
    }

    private fun fail(error: ServerUnavailableError) {
        val isNew = synchronized(lock) {
            client = null
            starting = null
            (failure == null && !isClosed).also { if (it) failure = error.message }
        }
        if (!isNew) return
        LOG.warn(error.message, error.cause)
        handlers.failed(error)
    }

    private inner class FromServer : Peer {
        @Volatile
        var isAlive = true

        /** Set once it is the one that is asked. */
        var server: Client? = null

        override fun asked(method: String, params: JsonElement): CompletionStage<JsonElement> = when (method) {
            EditorRequests.EVALUATE.method ->
                handlers.evaluate(checked(params, Evaluate::class.java)).thenApply(Wire::encode)
            "window/workDoneProgress/create" -> CompletableFuture.completedFuture(JsonNull.INSTANCE)
            else -> throw RefusedError("$method is not known here", RefusedError.METHOD_NOT_FOUND)
        }

        override fun told(method: String, params: JsonElement) = when (method) {
            EditorNotifications.CHANGED.method -> handlers.changed(Wire.decode(params, Changed::class.java))
            EditorNotifications.STATUS.method -> handlers.status(Wire.decode(params, Status::class.java))
            "$/progress" -> handlers.progress(params)
            "window/logMessage" -> LOG.info("server: $params")
            else -> LOG.debug("$method is not known here")
        }

        override fun closed(reason: String) {
            val wasRunning = synchronized(lock) {
                isAlive = false
                server != null && server === client
            }
            LOG.info(reason)
            // One that is gone while it starts fails there.
            if (wasRunning) fail(gone())
        }

        private fun <P : Any> checked(params: JsonElement, type: Class<P>): P = try {
            Wire.decode(params, type)
        } catch (error: WireError) {
            throw RefusedError(error.message.orEmpty(), RefusedError.INVALID_PARAMS)
        }
    }

    private companion object {
        val LOG = Logger.getInstance(Server::class.java)

        fun gone() = ServerUnavailableError(GradPeekBundle.message("server.gone"))

        fun cause(error: Throwable) = if (error is CompletionException) error.cause ?: error else error
    }
}
