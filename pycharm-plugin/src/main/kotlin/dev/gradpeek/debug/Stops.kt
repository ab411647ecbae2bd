package dev.gradpeek.debug

import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.frame.XStackFrame
import dev.gradpeek.protocol.Evaluate
import dev.gradpeek.protocol.FrameSelected
import dev.gradpeek.protocol.Notification
import dev.gradpeek.protocol.Notifications
import dev.gradpeek.protocol.Session
import dev.gradpeek.protocol.Stopped
import dev.gradpeek.server.RefusedError
import dev.gradpeek.server.Told

/** A notification to the server about stops. */
class StopNotification<P : Any>(val method: Notification<P>, val params: P) {
    /** Tells it. */
    fun tell(server: Told) = server.notify(method, params)
}

/**
 * What a server has to hear that has heard nothing yet.
 *
 * @property number of the last notification that is in it.
 */
class Snapshot(val number: Long, val notifications: List<StopNotification<*>>)

/**
 * The stops of all debug sessions of a project, and the frame that the user has selected, told from what
 * listeners of the sessions hear. Says each change once.
 *
 * Listeners hear on any thread. What is known here is changed at once, so that nothing is evaluated in a
 * program that runs again; nothing here waits for anybody.
 *
 * @param say hears of every change, in order, with its number; it must not call back.
 */
class Stops(private val say: (StopNotification<*>, Long) -> Unit) {
    private val sessions = LinkedHashMap<XDebugSession, SessionStops>()
    private var begun = 0
    private var number = 0L
    private var said: FrameSelected? = null

    /** A session begins; again is as good as once. */
    @Synchronized
    fun begins(session: XDebugSession) {
        sessions.getOrPut(session) { SessionStops("session-${++begun}", session) }
        // It may have stopped before anybody listened.
        if (session.isSuspended) sessions.getValue(session).takeIf { it.stop == null }?.let(::pause)
    }

    /** The session has stopped. */
    @Synchronized
    fun paused(session: XDebugSession) {
        sessions[session]?.let(::pause)
    }

    /** Another frame is selected in the session, or the top frame has become known. */
    @Synchronized
    fun frameChanged(session: XDebugSession) {
        val stops = sessions[session] ?: return
        val frame = session.currentStackFrame ?: return
        val stop = stops.stop ?: return
        if (stop.top == null) know(stops, stop, frame) else saySelected(stops, stop, frame)
    }

    /** The program of the session is about to run. */
    @Synchronized
    fun resumed(session: XDebugSession) {
        sessions[session]?.let { over(it, "The program runs.") }
    }

    /** The session is over. */
    @Synchronized
    fun ended(session: XDebugSession) {
        val stops = sessions.remove(session) ?: return
        stops.stop?.end("The debug session is over.")
        if (stops.count > 0) say(Notifications.ENDED, Session(stops.name))
    }

    /** The user, or the IDE at a stop, has turned to a session. */
    @Synchronized
    fun selected(session: XDebugSession) = frameChanged(session)

    /**
     * The stop and the frame that are to be evaluated in.
     *
     * @throws RefusedError where the stop is over or was never there.
     */
    @Synchronized
    internal fun at(params: Evaluate): Pair<Stop, XStackFrame> {
        val stops = sessions.values.find { it.name == params.session }
            ?: throw RefusedError("The debug session is over.")
        val stop = stops.stop ?: throw RefusedError("The program runs.")
        if (stop.number != params.stop) throw RefusedError("The program has stopped elsewhere since.")
        return stop to (stop.frame(params.frame) ?: throw RefusedError("There is no such frame at this stop."))
    }

    /** What a server has to hear that has heard nothing yet. */
    @Synchronized
    fun current(): Snapshot {
        val stopped = sessions.values.mapNotNull { it.stopped }.map { StopNotification(Notifications.STOPPED, it) }
        val frame = said?.takeIf { last ->
            sessions.values.any { it.name == last.session && it.stop?.number == last.stop }
        }
        return Snapshot(number, stopped + listOfNotNull(frame?.let { StopNotification(Notifications.FRAME, it) }))
    }

    private fun pause(stops: SessionStops) {
        stops.stop?.end("The program has stopped elsewhere since.")
        val stop = stops.pause()
        stops.session.currentStackFrame?.let { know(stops, stop, it) }
    }

    private fun know(stops: SessionStops, stop: Stop, top: XStackFrame) {
        stop.top = stop.idOf(top)
        val stopped = stops.stopped ?: return
        said = FrameSelected(stopped.session, stopped.stop, stopped.frame)
        say(Notifications.STOPPED, stopped)
    }

    private fun saySelected(stops: SessionStops, stop: Stop, frame: XStackFrame) {
        val params = FrameSelected(stops.name, stop.number, stop.idOf(frame))
        if (params == said) return
        said = params
        say(Notifications.FRAME, params)
    }

    private fun over(stops: SessionStops, reason: String) {
        val stop = stops.stop ?: return
        stops.stop = null
        stop.end(reason)
        if (stop.top != null) say(Notifications.CONTINUED, Session(stops.name))
    }

    private fun <P : Any> say(method: Notification<P>, params: P) = say(StopNotification(method, params), ++number)
}

/** Where one debug session stands. */
private class SessionStops(val name: String, val session: XDebugSession) {
    /** How many stops there have been. */
    var count = 0
    var stop: Stop? = null

    /** What is said of the stop, while there is one whose top frame is known. */
    val stopped: Stopped?
        get() {
            val stop = stop ?: return null
            val frame = stop.top ?: return null
            return Stopped(name, stop.number, frame, session.sessionName, debuggerOf(session))
        }

    fun pause(): Stop = Stop(++count).also { stop = it }
}

/**
 * What the server is told of the kind of session: `python`, as the server knows it, where expressions are
 * typed as Python, whichever debugger runs it; else a name, and the server looks for itself.
 */
internal fun debuggerOf(session: XDebugSession): String {
    val process = session.debugProcess
    val language = process.editorsProvider.fileType.name
    return if (language == "Python") "python" else language
}
