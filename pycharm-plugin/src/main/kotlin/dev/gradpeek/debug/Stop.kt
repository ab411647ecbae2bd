package dev.gradpeek.debug

import com.intellij.xdebugger.frame.XStackFrame
import dev.gradpeek.server.RefusedError
import java.util.IdentityHashMap
import java.util.concurrent.CompletableFuture

/**
 * One stop of a session: the ids of its frames, which the IDE has none for, and what is evaluated in it.
 *
 * An id is the frame's place in the order in which frames were seen at this stop.
 */
internal class Stop(val number: Int) {
    private val ids = IdentityHashMap<XStackFrame, Int>()
    private val frames = ArrayList<XStackFrame>()
    private val evaluated = HashSet<CompletableFuture<*>>()
    private var ended: String? = null

    /** Id of the frame in which it has stopped, once that is known. */
    @Volatile
    var top: Int? = null

    /** The id of a frame, the same one each time. */
    @Synchronized
    fun idOf(frame: XStackFrame): Int = ids.getOrPut(frame) {
        frames.add(frame)
        frames.size
    }

    /** The frame of that id. */
    @Synchronized
    fun frame(id: Int): XStackFrame? = frames.getOrNull(id - 1)

    /** Fails the answer once the stop is over: debuggers leave what they were asked before that. */
    fun holds(answer: CompletableFuture<*>) {
        val reason = synchronized(this) {
            if (ended == null) evaluated.add(answer)
            ended
        }
        if (reason != null) answer.completeExceptionally(RefusedError(reason))
        answer.whenComplete { _, _ -> synchronized(this) { evaluated.remove(answer) } }
    }

    /** It is over. */
    fun end(reason: String) {
        val open = synchronized(this) {
            ended = reason
            evaluated.toList().also { evaluated.clear() }
        }
        for (answer in open) answer.completeExceptionally(RefusedError(reason))
    }
}
