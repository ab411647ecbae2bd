package dev.gradpeek.e2e

import com.google.gson.JsonArray
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.intellij.xdebugger.XSourcePosition
import com.intellij.xdebugger.evaluation.XDebuggerEvaluator
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.XValuePlace
import dev.gradpeek.server.MessageReader
import dev.gradpeek.server.framed
import java.awt.EventQueue
import java.io.File
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private const val RESPONSE_TIMEOUT_S = 120L

/** As measured of debugpy 1.8.22. */
const val SHOWN_BY_DEBUGPY = 65_540

/** The debugger refuses. */
private class DapError(message: String) : Exception(message)

/**
 * A debugpy session over the Debug Adapter Protocol, against the real debugpy.
 *
 * PyCharm's side of this is closed source (`com.intellij.platform.dap`), so this assumes the worst of it: expressions
 * are evaluated in context `watch`, in which debugpy cuts a text at 65,540 characters without saying so; a text is
 * shown as its repr; there is no evaluator of the whole value; the value is shown later than it is asked for, on
 * another thread.
 */
class DebugpySession(name: String, pool: Executor, private val python: String, script: File) :
    DebuggeeSession(name, pool, script) {
    private val log = File.createTempFile("gradpeek-e2e", ".log")
    private val numbers = AtomicInteger()
    private val open = ConcurrentHashMap<Int, CompletableFuture<JsonObject>>()
    private val written = StringBuffer()
    private val initialized = CompletableFuture<Unit>()
    private val debuggee = CompletableFuture<ProcessHandle>()
    private val adapter = ProcessBuilder(python, "-m", "debugpy.adapter")
        .redirectError(ProcessBuilder.Redirect.appendTo(log))
        .start()
    private var stoppedThread = 0

    init {
        thread(isDaemon = true, name = "debugpy") { listen() }
    }

    override val program: ProcessHandle get() = debuggee.get(RESPONSE_TIMEOUT_S, TimeUnit.SECONDS)

    override val output: String get() = written.toString() + log.readText()

    /** Launches the program, sets the breakpoints and lets it run. */
    fun begin() {
        request("initialize", of("adapterID" to "debugpy", "pathFormat" to "path"))
        val launch = send(
            "launch",
            of("program" to script.path, "console" to "internalConsole", "cwd" to script.parent).apply {
                add("python", JsonArray().apply { add(python) })
                add("args", JsonArray().apply { arguments.forEach(::add) })
                add("env", of("PYDEVD_DISABLE_FILE_VALIDATION" to "1"))
            },
        )
        CompletableFuture.anyOf(initialized, launch).get(RESPONSE_TIMEOUT_S, TimeUnit.SECONDS)
        val breakpoints = JsonArray()
        for (line in marks.values) breakpoints.add(JsonObject().apply { addProperty("line", line) })
        request(
            "setBreakpoints",
            JsonObject().apply {
                add("source", of("path" to script.path))
                add("breakpoints", breakpoints)
            },
        )
        val uncaught = JsonArray().apply { add("uncaught") }
        request("setExceptionBreakpoints", JsonObject().apply { add("filters", uncaught) })
        request("configurationDone", JsonObject())
        launch.get(RESPONSE_TIMEOUT_S, TimeUnit.SECONDS)
    }

    override fun close() {
        super.close()
        debuggee.getNow(null)?.destroyForcibly()
        val below = adapter.descendants().toList()
        adapter.destroyForcibly().waitFor()
        below.forEach(ProcessHandle::destroyForcibly)
        log.delete()
    }

    internal fun evaluate(frame: DebugpyFrame, expression: String, callback: XDebuggerEvaluator.XEvaluationCallback) =
        pool.execute {
            try {
                callback.evaluated(DebugpyValue(evaluated(frame, expression, "watch")))
            } catch (error: DapError) {
                callback.errorOccurred(error.message.orEmpty())
            }
        }

    private fun evaluated(frame: DebugpyFrame, expression: String, context: String): String {
        val arguments = of("expression" to expression, "context" to context)
        arguments.addProperty("frameId", frame.id)
        return request("evaluate", arguments)["result"].asString
    }

    override fun tellStepOver() = go("next")

    override fun tellResume() = go("continue")

    private fun go(command: String) {
        send(command, JsonObject().apply { addProperty("threadId", stoppedThread) })
    }

    // In this context debugpy cuts nothing.
    override fun whole(expression: String): String =
        evaluated(currentStackFrame as DebugpyFrame, expression, "clipboard")

    override fun type(text: String): String {
        val before = written.length
        val result = evaluated(currentStackFrame as DebugpyFrame, text, "repl")
        return written.substring(before) + result
    }

    internal inner class DebugpyFrame(val id: Int, function: String, line: Int) : DebuggeeFrame(function, line) {
        override fun getEvaluator() = object : XDebuggerEvaluator() {
            override fun evaluate(
                expression: String,
                callback: XEvaluationCallback,
                expressionPosition: XSourcePosition?,
            ) {
                check(!EventQueue.isDispatchThread())
                evaluate(this@DebugpyFrame, expression, callback)
            }
        }
    }

    private inner class DebugpyValue(private val text: String) : XValue() {
        override fun computePresentation(node: XValueNode, place: XValuePlace) {
            check(!EventQueue.isDispatchThread())
            replies.add(Reply(text, null))
            pool.execute { node.setPresentation(null, "str", text, false) }
        }
    }

    private fun request(command: String, arguments: JsonObject): JsonObject {
        try {
            return send(command, arguments).get(RESPONSE_TIMEOUT_S, TimeUnit.SECONDS)
        } catch (error: ExecutionException) {
            throw error.cause as? DapError ?: error
        }
    }

    private fun send(command: String, arguments: JsonObject): CompletableFuture<JsonObject> {
        val number = numbers.incrementAndGet()
        val answer = CompletableFuture<JsonObject>()
        open[number] = answer
        val message = of("type" to "request", "command" to command)
        message.addProperty("seq", number)
        message.add("arguments", arguments)
        try {
            synchronized(adapter) {
                adapter.outputStream.write(framed(message.toString()))
                adapter.outputStream.flush()
            }
        } catch (error: IOException) {
            answer.completeExceptionally(DapError("The session is over: ${error.message}"))
        }
        return answer
    }

    private fun listen() {
        try {
            val messages = MessageReader(adapter.inputStream.buffered())
            generateSequence(messages::next).forEach { heard(JsonParser.parseString(it).asJsonObject) }
        } catch (_: IOException) {
            // The adapter was killed.
        }
        for (answer in open.values) answer.completeExceptionally(DapError("The session is over."))
        finished()
    }

    private fun heard(message: JsonObject) {
        val body = message["body"] as? JsonObject ?: JsonObject()
        when (message["type"].asString) {
            "response" -> {
                val answer = open.remove(message["request_seq"].asInt) ?: return
                if (message["success"].asBoolean) {
                    answer.complete(body)
                } else {
                    answer.completeExceptionally(DapError(message["message"]?.asString.orEmpty()))
                }
            }
            "event" -> happened(message["event"].asString, body)
        }
    }

    private fun happened(event: String, body: JsonObject) {
        when (event) {
            "initialized" -> initialized.complete(Unit)
            "process" -> ProcessHandle.of(body["systemProcessId"].asLong).ifPresent(debuggee::complete)
            "output" -> if (body["category"]?.asString != "telemetry") written.append(body["output"].asString)
            "stopped" -> pool.execute { stopped(body["threadId"].asInt) }
            "terminated" -> pool.execute(::finished)
        }
    }

    private fun stopped(thread: Int) {
        stoppedThread = thread
        val trace = try {
            request("stackTrace", JsonObject().apply { addProperty("threadId", thread) })
        } catch (_: DapError) {
            return // It was killed meanwhile.
        }
        reached(
            trace["stackFrames"].asJsonArray.map { it.asJsonObject }.map {
                DebugpyFrame(it["id"].asInt, it["name"].asString, it["line"].asInt)
            },
        )
    }

    private companion object {
        fun of(vararg pairs: Pair<String, String>) =
            JsonObject().apply { for ((key, value) in pairs) addProperty(key, value) }
    }
}
