package dev.gradpeek.e2e

import com.intellij.openapi.Disposable
import com.intellij.openapi.project.Project
import com.intellij.xdebugger.XDebugProcess
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebugSessionListener
import com.intellij.xdebugger.XSourcePosition
import com.intellij.xdebugger.frame.XStackFrame
import dev.gradpeek.support.TestProcess
import java.io.File
import java.util.HexFormat
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executor
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

private const val STOP_TIMEOUT_S = 120L

/** A frame of a stopped program. */
abstract class DebuggeeFrame(val function: String, val line: Int) : XStackFrame()

/** What came of an expression that the plugin had evaluated, as the debugger sent and showed it. */
class Reply(val shown: String, val whole: String?)

/**
 * The IDE's side of a debug session with a real debugger and a real program behind it.
 *
 * What this assumes of the IDE, and where it is taken from (intellij-community):
 * - `platform/xdebugger-impl/.../XDebugSessionImpl.kt`: at a stop the frame is known and the session suspended
 *   before listeners hear `sessionPaused`, on the thread that heard of it from the debugger (`updateSuspendContext`,
 *   `positionReachedInternal`). Stepping and resuming begin on the EDT, where the user presses the button: the session
 *   is no longer suspended, then `beforeSessionResume`, then there is no frame any more, then `sessionResumed`, and
 *   only then the debugger is told (`doResume`). A frame is selected on the EDT: `stackFrameChanged`. At the end
 *   there is no frame, then `sessionStopped` (`processStopped`).
 * - `XDebuggerManagerImpl`: a session that reaches a breakpoint becomes the current one first (`breakpointReached`).
 * - A frame is the same object as long as the stop lasts (`PyExecutionStack`, `XFramesView`).
 */
abstract class DebuggeeSession(private val name: String, protected val pool: Executor, val script: File) :
    XDebugSession, AutoCloseable {
    private val gate = Pipe()
    private val arrival = Pipe()

    /** Arguments of the program: a pipe to read a line from, and one to write a line to. */
    protected val arguments = listOf(gate.file.path, arrival.file.path)

    private val listeners = CopyOnWriteArrayList<XDebugSessionListener>()
    private val process = TestProcess(this)
    private val stops = LinkedBlockingQueue<List<DebuggeeFrame>>()
    private val over = CompletableFuture<Unit>()

    /** What has become of the expressions that were evaluated. */
    val replies = CopyOnWriteArrayList<Reply>()

    @Volatile
    private var isPaused = false

    @Volatile
    private var current: DebuggeeFrame? = null

    /** Frames of the present stop, innermost first. */
    @Volatile
    var frames: List<DebuggeeFrame> = emptyList()
        private set

    /** Hears that the session becomes the current one, as it does at a breakpoint. */
    var becomesCurrent: (DebuggeeSession) -> Unit = {}

    /** Hears that the session is over, before its listeners do (`XDebuggerManagerListener.processStopped`). */
    var isOver: () -> Unit = {}

    /** What the program has written. */
    abstract val output: String

    /** The program's own process. */
    abstract val program: ProcessHandle

    /** The lines that `# @bp name` comments mark, by name. */
    protected val marks: Map<String, Int> = script.readLines().withIndex()
        .filter { MARK in it.value }
        .associate { it.value.substringAfter(MARK).trim() to it.index + 1 }

    /** Waits until the program stands at the line with this mark. */
    fun stopsAt(mark: String) {
        val stopped = nextStop()
        check(stopped.first().line == marks.getValue(mark)) { "It stands at line ${stopped.first().line}. $output" }
    }

    /** Waits for the next stop, wherever it is. */
    fun nextStop(): List<DebuggeeFrame> {
        val stopped = stops.poll(STOP_TIMEOUT_S, TimeUnit.SECONDS)
        return checkNotNull(stopped?.ifEmpty { null }) { "The program does not stop. $output" }
    }

    /** Resumes past every stop to the end: where an exception ends the program, pydevd stops twice. */
    fun runsOut() {
        do resume() while (stops.poll(STOP_TIMEOUT_S, TimeUnit.SECONDS)?.isNotEmpty() == true)
        ends()
    }

    /** Waits until the session is over. */
    fun ends() {
        over.get(STOP_TIMEOUT_S, TimeUnit.SECONDS)
    }

    /** What `ascii` of an expression's value is in the current frame: the test's own question, with nothing cut. */
    fun ask(expression: String): String {
        val digits = whole("ascii($expression).encode().hex()").trim('\'')
        return String(HexFormat.of().parseHex(digits), Charsets.US_ASCII)
    }

    /** The debugger's whole text of a value in the current frame. */
    protected abstract fun whole(expression: String): String

    /** What the debug console shows of a text that is typed at this stop. */
    abstract fun type(text: String): String

    /** Waits until the program waits at its gate. */
    fun isAtGate() = CompletableFuture.supplyAsync(arrival::read, pool).get(STOP_TIMEOUT_S, TimeUnit.SECONDS)!!

    /** Lets the program pass its gate, once. */
    fun openGate() = gate.write()

    override fun close() {
        gate.close()
        arrival.close()
    }

    /** The user selects a frame of this stop. */
    fun select(frame: DebuggeeFrame) = onEdt {
        current = frame
        listeners.forEach(XDebugSessionListener::stackFrameChanged)
    }

    /** The user presses Step Over. */
    fun stepOver() = leave(::tellStepOver)

    /** The user presses Resume. */
    fun resume() = leave(::tellResume)

    private fun leave(tell: () -> Unit) = onEdt {
        isPaused = false
        listeners.forEach(XDebugSessionListener::beforeSessionResume)
        val left = current
        current = null
        leaves(left)
        listeners.forEach(XDebugSessionListener::sessionResumed)
        pool.execute(tell)
    }

    /** The program is about to leave the stop. */
    protected open fun leaves(frame: DebuggeeFrame?) = Unit

    protected abstract fun tellStepOver()

    protected abstract fun tellResume()

    /** The debugger says that the program has stopped. */
    protected fun reached(frames: List<DebuggeeFrame>) {
        becomesCurrent(this)
        this.frames = frames
        current = frames.first()
        isPaused = true
        listeners.forEach(XDebugSessionListener::sessionPaused)
        stops.add(frames)
    }

    /** The debugger says that the program is over. */
    protected fun finished() {
        synchronized(over) {
            if (over.isDone) return
            isOver()
            isPaused = false
            current = null
            listeners.forEach(XDebugSessionListener::sessionStopped)
            stops.add(emptyList())
            over.complete(Unit)
        }
    }

    override fun isSuspended() = isPaused

    override fun getProject(): Project = error("nobody asks for it")

    override fun getDebugProcess(): XDebugProcess = process

    override fun getCurrentStackFrame(): DebuggeeFrame? = current

    override fun getCurrentPosition(): XSourcePosition? = null

    override fun getSessionName() = name

    override fun addSessionListener(listener: XDebugSessionListener, parentDisposable: Disposable) {
        listeners.add(listener)
    }

    private companion object {
        const val MARK = "# @bp "
    }
}
