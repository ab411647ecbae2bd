package dev.gradpeek.server

import com.google.gson.JsonElement
import com.google.gson.JsonNull
import com.google.gson.JsonObject
import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.protocol.VERSION
import java.io.File
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/** What is needed of a server that runs. */
interface Client {
    /** The answer; fails with RefusedError or ConnectionClosedError. */
    fun request(method: String, params: JsonElement): CompletableFuture<JsonElement>

    fun notify(method: String, params: JsonElement)

    /** Ends it. */
    fun stop()
}

/** How a server is started: the command, where, and the language of its texts. */
data class Launch(val command: List<String>, val directory: File?, val locale: String)

/**
 * How the server is started in a Python: isolated, so that neither the project nor the environment adds
 * to what it imports. Without `backend`, as in a checkout, GradPeek has to be installed in that Python.
 */
fun commandLine(python: String, backend: File): List<String> =
    if (backend.isDirectory) {
        listOf(python, "-I", backend.path, "--stdio")
    } else {
        listOf(python, "-I", "-m", "gradpeek.language_server", "--stdio")
    }

private const val START_TIMEOUT_S = 60L
private const val STOP_TIMEOUT_S = 5L
private const val LOG_TIMEOUT_MS = 1000L

/** A peer whose process ends with the connection: a server that nobody can speak to is of no use. */
private class EndsWith(private val process: Process, private val peer: Peer) : Peer by peer {
    override fun closed(reason: String) {
        process.toHandle().destroy() // Process.destroy would close its log before it is read.
        peer.closed(reason)
    }
}

/** The process of a server and the connection to it. */
internal class LanguageServer private constructor(
    private val process: Process,
    peer: Peer,
    private val pool: Executor,
) : Client {
    @Volatile
    private var lastWords: String? = null
    private val connection = Connection(process.inputStream, process.outputStream, EndsWith(process, peer), pool)

    override fun request(method: String, params: JsonElement) = connection.request(method, params)

    override fun notify(method: String, params: JsonElement) = connection.notify(method, params)

    override fun stop() {
        connection.request("shutdown", JsonNull.INSTANCE)
            .orTimeout(STOP_TIMEOUT_S, TimeUnit.SECONDS)
            .whenComplete { _, _ ->
                connection.notify("exit", JsonNull.INSTANCE)
                pool.execute {
                    if (!process.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)) process.destroyForcibly()
                    connection.close()
                }
            }
    }

    private fun initialize(locale: String): CompletableFuture<JsonElement> {
        connection.open()
        val log = thread(isDaemon = true, name = "GradPeek server's log", block = ::readLog)
        return connection.request("initialize", initializeParams(locale))
            .orTimeout(START_TIMEOUT_S, TimeUnit.SECONDS)
            .whenComplete { _, error -> if (error == null) connection.notify("initialized", JsonObject()) }
            .exceptionallyCompose { error ->
                process.toHandle().destroyForcibly()
                process.onExit().thenApplyAsync({ throw whyNot(error, log) }, pool)
            }
    }

    private fun readLog() {
        try {
            process.errorStream.bufferedReader().forEachLine {
                LOG.info("server: $it")
                if (it.isNotBlank()) lastWords = it.trim()
            }
        } catch (error: IOException) {
            LOG.debug(error)
        }
    }

    private fun whyNot(error: Throwable, log: Thread): ServerError {
        val cause = if (error is CompletionException) error.cause ?: error else error
        log.join(LOG_TIMEOUT_MS)
        val words = when (cause) {
            is TimeoutException -> "no answer within $START_TIMEOUT_S s"
            is ConnectionClosedError -> lastWords ?: cause.message.orEmpty()
            else -> cause.message.orEmpty()
        }
        return ServerError(words, cause)
    }

    companion object {
        private val LOG = Logger.getInstance(LanguageServer::class.java)

        /**
         * The server once it is ready; fails with ServerError where it refuses to be, or ends first.
         *
         * @throws IOException where there is no such command.
         */
        fun start(launch: Launch, peer: Peer, pool: Executor): CompletableFuture<LanguageServer> {
            val process = ProcessBuilder(launch.command).directory(launch.directory).start()
            val server = LanguageServer(process, peer, pool)
            return server.initialize(launch.locale).thenApply { server }
        }

        private fun initializeParams(locale: String): JsonObject {
            fun of(key: String, value: JsonElement) = JsonObject().apply { add(key, value) }
            val params = JsonObject()
            params.addProperty("processId", ProcessHandle.current().pid())
            params.add("rootUri", JsonNull.INSTANCE)
            params.addProperty("locale", locale)
            params.add("capabilities", of("window", JsonObject().apply { addProperty("workDoneProgress", true) }))
            params.add("initializationOptions", JsonObject().apply { addProperty("protocol", VERSION) })
            return params
        }
    }
}
