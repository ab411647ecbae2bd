package dev.gradpeek

import com.google.gson.JsonElement
import dev.gradpeek.actions.Asked
import dev.gradpeek.debug.Relay
import dev.gradpeek.debug.StopNotification
import dev.gradpeek.debug.Stops
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.Notifications
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Request
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.Connect
import dev.gradpeek.server.Handlers
import dev.gradpeek.server.Server
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Told
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/** Who shows what the server has to say. */
internal interface Shown {
    /** How the tree is shown now. */
    val options: Options

    /** A program has stopped. */
    fun stopped(params: Stopped) = Unit

    fun changed(params: Changed)

    fun status(params: Status)

    fun progress(params: JsonElement)

    fun failed(error: ServerUnavailableError)
}

/**
 * The stops of a project's sessions and the server that looks into them, wired together.
 *
 * @param pool threads that may wait.
 * @param inOrder runs one thing after the other, in the order of the calls.
 */
internal class Backend(
    connect: Connect,
    pool: Executor,
    private val inOrder: Executor,
    private val shown: Shown,
) : AutoCloseable {
    /** Where sessions are told of. */
    val stops = Stops { notification, number -> inOrder.execute { happened(notification, number) } }
    private val relay = Relay(stops, pool)
    private var told = 0L
    private var toldOptions: Options? = null

    /** Whom to ask. */
    val server = Server(connect, FromServer(), inOrder)

    /** Whom commands ask. */
    val asked: Asked = object : Asked {
        override fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R> =
            CompletableFuture.runAsync({}, inOrder).thenCompose { server.request(method, params) }

        override fun retry() = server.retry()
    }

    /** Tells the server how the tree is shown now. */
    fun configure() = inOrder.execute(::tellOptions)

    override fun close() = server.close()

    private fun tellOptions() {
        val options = shown.options
        if (!server.isRunning || options == toldOptions) return
        toldOptions = options
        server.notify(Notifications.CONFIGURE, options)
    }

    private fun happened(notification: StopNotification<*>, number: Long) {
        (notification.params as? Stopped)?.let(::stopped)
        if (!server.isRunning) {
            // What that changes in the tree only a server that runs says.
            shown.changed(Changed(nodes = null))
        } else if (number > told) {
            notification.tell(server)
        }
    }

    private fun stopped(stop: Stopped) {
        server.retry()
        shown.stopped(stop)
        // Whether this stop is looked at the server has to know before it hears of it.
        tellOptions()
        val options = shown.options
        // Nobody looks and nothing is to be put into the debuggee: then there is nothing to do. Programs in
        // other languages are looked at only when the user asks.
        if (stop.debugger == "python" && (options.visible || options.console)) server.start()
    }

    private inner class FromServer : Handlers {
        override fun evaluate(params: Evaluate) = relay.evaluate(params)

        override fun changed(params: Changed) = shown.changed(params)

        override fun status(params: Status) = shown.status(params)

        override fun progress(params: JsonElement) = shown.progress(params)

        override fun started(client: Told) {
            val options = shown.options
            toldOptions = options
            client.notify(Notifications.CONFIGURE, options)
            val snapshot = stops.current()
            for (notification in snapshot.notifications) notification.tell(client)
            told = snapshot.number
        }

        override fun failed(error: ServerUnavailableError) = shown.failed(error)
    }
}
