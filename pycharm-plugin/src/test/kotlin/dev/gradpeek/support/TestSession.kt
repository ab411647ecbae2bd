package dev.gradpeek.support

import com.intellij.openapi.Disposable
import com.intellij.openapi.fileTypes.FileType
import com.intellij.openapi.project.Project
import com.intellij.openapi.vfs.VirtualFile
import com.intellij.xdebugger.XDebugProcess
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebugSessionListener
import com.intellij.xdebugger.XSourcePosition
import com.intellij.xdebugger.evaluation.XDebuggerEditorsProvider
import com.intellij.xdebugger.evaluation.XDebuggerEvaluator
import com.intellij.xdebugger.frame.XFullValueEvaluator
import com.intellij.xdebugger.frame.XStackFrame
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.XValuePlace
import javax.swing.Icon

/** What PyCharm's own debugger shows of a text. */
const val SHOWN = 256

/**
 * The IDE's side of a debug session.
 *
 * Assumes of the IDE: the frame is known before listeners hear of a pause, and is none while the program
 * runs; a frame of the same stop is the same object.
 */
class TestSession(private val language: String = "Python") : XDebugSession {
    private val listeners = ArrayList<XDebugSessionListener>()
    private val process = TestProcess(this, language)
    private var frame: XStackFrame? = null

    /** The program stops in a frame; null where it is not known at once. */
    fun pause(at: XStackFrame?) {
        isPaused = true
        frame = at
        listeners.forEach(XDebugSessionListener::sessionPaused)
    }

    fun select(other: XStackFrame) {
        frame = other
        listeners.forEach(XDebugSessionListener::stackFrameChanged)
    }

    fun resume() {
        listeners.forEach(XDebugSessionListener::beforeSessionResume)
        isPaused = false
        frame = null
        listeners.forEach(XDebugSessionListener::sessionResumed)
    }

    fun end() = listeners.forEach(XDebugSessionListener::sessionStopped)

    private var isPaused = false

    override fun isSuspended() = isPaused

    override fun getProject(): Project = error("nobody asks for it")

    override fun getDebugProcess(): XDebugProcess = process

    override fun getCurrentStackFrame() = frame

    override fun getCurrentPosition(): XSourcePosition? = null

    override fun getSessionName() = "train"

    override fun addSessionListener(listener: XDebugSessionListener, parentDisposable: Disposable) {
        listeners.add(listener)
    }
}

/** The process of a session in whose language expressions are typed. */
class TestProcess(session: XDebugSession, private val language: String = "Python") : XDebugProcess(session) {
    override fun getEditorsProvider() = object : XDebuggerEditorsProvider() {
        override fun getFileType() = object : FileType {
            override fun getName() = language
            override fun getDescription() = language
            override fun getIcon(): Icon? = null
            override fun isBinary() = false
            override fun getCharset(file: VirtualFile, content: ByteArray): String? = null
        }
    }
}

/** A frame in which expressions evaluate to what a function says. */
class TestFrame(private val evaluated: (String, XDebuggerEvaluator.XEvaluationCallback) -> Unit) : XStackFrame() {
    override fun getEvaluator() = object : XDebuggerEvaluator() {
        override fun evaluate(expression: String, callback: XEvaluationCallback, expressionPosition: XSourcePosition?) =
            evaluated(expression, callback)
    }
}

/** A frame in which everything evaluates to that text, as PyCharm's own debugger shows it. */
fun frameOf(text: String) = TestFrame { _, callback -> callback.evaluated(CutValue(text)) }

/** A value that is cut without a mark, with the whole one on demand. */
class CutValue(private val text: String) : XValue() {
    override fun computePresentation(node: XValueNode, place: XValuePlace) {
        if (text.length > SHOWN) node.setFullValueEvaluator(whole(text))
        node.setPresentation(null, "str", text.take(SHOWN), false)
    }
}

fun whole(text: String) = object : XFullValueEvaluator() {
    override fun startEvaluation(callback: XFullValueEvaluationCallback) = callback.evaluated(text)
}
