package dev.gradpeek.debug

import com.intellij.openapi.Disposable
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebugSessionListener

/** Tells `stops` what a session's listeners hear. */
internal class SessionListener private constructor(private val session: XDebugSession, private val stops: Stops) :
    XDebugSessionListener {
    override fun sessionPaused() = stops.paused(session)

    override fun stackFrameChanged() = stops.frameChanged(session)

    override fun beforeSessionResume() = stops.resumed(session)

    override fun sessionResumed() = stops.resumed(session)

    override fun sessionStopped() = stops.ended(session)

    companion object {
        /** Listens to a session until it or the parent is over. */
        fun listen(session: XDebugSession, stops: Stops, parent: Disposable) {
            session.addSessionListener(SessionListener(session, stops), parent)
            stops.begins(session)
        }
    }
}
