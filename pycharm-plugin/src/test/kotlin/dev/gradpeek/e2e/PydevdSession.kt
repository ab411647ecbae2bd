package dev.gradpeek.e2e

import com.intellij.xdebugger.XSourcePosition
import com.intellij.xdebugger.evaluation.XDebuggerEvaluator
import com.intellij.xdebugger.frame.XFullValueEvaluator
import com.intellij.xdebugger.frame.XValue
import com.intellij.xdebugger.frame.XValueNode
import com.intellij.xdebugger.frame.XValuePlace
import org.w3c.dom.Element
import java.awt.EventQueue
import java.io.File
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URLDecoder
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.concurrent.thread

private const val VERSION = 501
private const val RUN = 101
private const val THREAD_SUSPEND = 105
private const val THREAD_RUN = 106
private const val STEP_OVER = 108
private const val SET_BREAK = 111
private const val EVALUATE = 113
private const val EXECUTE = 115
private const val WRITE_TO_CONSOLE = 116
private const val CONSOLE_EXEC = 121
private const val ADD_EXCEPTION_BREAK = 122
private const val ERROR = 901

private const val CONNECT_TIMEOUT_MS = 60_000

/** `RemoteDebugger.RESPONSE_TIMEOUT`. */
private const val RESPONSE_TIMEOUT_S = 60L

/** `PyDebugValue.MAX_VALUE`. */
const val SHOWN_BY_PYDEVD = 256

/** The debugger refuses; PyCharm's PyDebuggerException. */
private class PydevdError(message: String) : Exception(message)

/**
 * PyCharm's own debugger over a real `pydevd-pycharm`.
 *
 * What this assumes of PyCharm, and where it is taken from (intellij-community, `python/`):
 * - `PyDebuggerEvaluator`: an expression is evaluated on a pooled thread, and the callback called there, in the frame
 *   that is the session's current one by then, whichever frame's evaluator was asked (`PyDebugProcess.currentFrame`).
 *   While the program runs that is an error. An answer has a minute.
 * - `EvaluateCommand`, `RemoteDebugger`: the value is kept in that frame under a temporary name, which is deleted
 *   before the program runs on.
 * - `PyDebugValue.computePresentation`, `PyTypeHandler`: a text is shown in quotes, with backslashes doubled and
 *   nothing else escaped, and from 256 characters on cut to 256 without a mark; the evaluator of the whole value is
 *   offered before that, both at once, on the thread that asks.
 * - `PyFullValueEvaluator`: evaluates the temporary name, without cutting, on a pooled thread, in the current frame;
 *   the text comes without quotes.
 */
class PydevdSession(name: String, pool: Executor, python: String, script: File) : DebuggeeSession(name, pool, script) {
    private val log = File.createTempFile("gradpeek-e2e", ".log")
    private val sequence = AtomicInteger(-1)
    private val open = ConcurrentHashMap<Int, CompletableFuture<Pair<Int, String>>>()
    private val temporaries = AtomicInteger()
    private val kept = ConcurrentHashMap<PydevdFrame, MutableList<String>>()
    private val printed = StringBuffer()
    private val process: Process
    private val connection: java.net.Socket
    private var left: List<PydevdFrame> = emptyList()

    init {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { server ->
            server.soTimeout = CONNECT_TIMEOUT_MS
            process = ProcessBuilder(
                python, "-m", "pydevd", "--client", "127.0.0.1", "--port", "${server.localPort}", "--file", script.path,
                *arguments.toTypedArray(),
            ).directory(script.parentFile).redirectErrorStream(true).redirectOutput(log).apply {
                environment()["PYTHONUNBUFFERED"] = "1"
                environment()["IPYTHONENABLE"] = "False"
            }.start()
            process.outputStream.close()
            connection = try {
                server.accept()
            } catch (error: IOException) {
                process.destroyForcibly()
                throw IllegalStateException("pydevd does not connect. $output", error)
            }
        }
        thread(isDaemon = true, name = "pydevd") { listen() }
    }

    override val program: ProcessHandle = process.toHandle()

    override val output: String get() = log.readText()

    /** Sets the breakpoints and lets the program run. */
    fun begin() {
        request(VERSION, "263.7307.50\tUNIX")
        for (line in marks.values) tell(SET_BREAK, "python-line\t${script.path}\t$line\tNone\tALL\tNone\tNone")
        tell(ADD_EXCEPTION_BREAK, "python-BaseException\tNone\tNone\t0\t1\t1")
        tell(RUN, "")
    }

    override fun close() {
        super.close()
        process.destroyForcibly().waitFor()
        connection.close()
        log.delete()
    }

    // What PyCharm does.

    private fun currentFrame(): PydevdFrame =
        currentStackFrame as PydevdFrame? ?: throw PydevdError("The debug process is running.")

    private fun evaluate(frame: PydevdFrame, expression: String, cut: Boolean): PydevdValue {
        val name = "__py_debug_temp_var_${temporaries.incrementAndGet()}"
        kept.computeIfAbsent(frame) { java.util.Collections.synchronizedList(ArrayList()) }.add(name)
        val trim = if (cut) 1 else 0
        val answer = request(EVALUATE, "${frame.thread}\t${frame.id}\tLOCAL\t$expression\t$trim\t$name")
        val variable = elements(answer, "var").first()
        return PydevdValue(
            name,
            variable.getAttribute("type"),
            unquoted(variable.getAttribute("value")),
            variable.getAttribute("isErrorOnEval") == "True",
        )
    }

    internal fun evaluate(expression: String, callback: XDebuggerEvaluator.XEvaluationCallback) = pool.execute {
        try {
            val value = evaluate(currentFrame(), expression.trim { it <= ' ' }, cut = true)
            if (value.isError) callback.errorOccurred("{${value.type}}${value.text}") else callback.evaluated(value)
        } catch (error: PydevdError) {
            callback.errorOccurred(error.message.orEmpty())
        }
    }

    override fun leaves(frame: DebuggeeFrame?) {
        left = frames.map { it as PydevdFrame }
    }

    override fun tellStepOver() = go(STEP_OVER, left.first().thread)

    override fun tellResume() = go(THREAD_RUN, left.first().thread)

    private fun go(command: Int, payload: String) {
        for (frame in left) {
            val names = kept.remove(frame) ?: continue
            val statement = "try:\n    del ${names.toList().joinToString(",")}\nexcept:\n    pass"
            request(EXECUTE, "${frame.thread}\t${frame.id}\tLOCAL\t$statement\t0\t")
        }
        tell(command, payload)
    }

    override fun whole(expression: String): String {
        val value = evaluate(currentFrame(), expression, cut = false)
        check(!value.isError) { "${value.type}: ${value.text}" }
        return value.text
    }

    override fun type(text: String): String {
        printed.setLength(0)
        val frame = currentFrame()
        request(CONSOLE_EXEC, "${frame.thread}\t${frame.id}\tLOCAL\t$text")
        return printed.toString()
    }

    internal inner class PydevdFrame(val thread: String, val id: String, function: String, line: Int) :
        DebuggeeFrame(function, line) {
        override fun getEvaluator() = object : XDebuggerEvaluator() {
            override fun evaluate(
                expression: String,
                callback: XEvaluationCallback,
                expressionPosition: XSourcePosition?,
            ) {
                check(!EventQueue.isDispatchThread())
                evaluate(expression, callback)
            }
        }
    }

    private inner class PydevdValue(
        val name: String,
        val type: String,
        val text: String,
        val isError: Boolean,
    ) : XValue() {
        override fun computePresentation(node: XValueNode, place: XValuePlace) {
            check(!EventQueue.isDispatchThread())
            val quote = if ("'" in text) "\"" else "'"
            val formatted = if (type == "str") quote + text.replace("\\", "\\\\") + quote else text
            val shown = formatted.take(SHOWN_BY_PYDEVD)
            if (formatted.length >= SHOWN_BY_PYDEVD) {
                node.setFullValueEvaluator(whole(shown))
            } else {
                replies.add(Reply(shown, null))
            }
            node.setPresentation(null, type, shown, false)
        }

        private fun whole(shown: String) = object : XFullValueEvaluator() {
            override fun startEvaluation(callback: XFullValueEvaluationCallback) = pool.execute {
                try {
                    val value = evaluate(currentFrame(), name, cut = false).text
                    replies.add(Reply(shown, value))
                    callback.evaluated(value)
                } catch (error: PydevdError) {
                    callback.errorOccurred(error.message.orEmpty())
                }
            }
        }
    }

    // The wire: `command TAB sequence TAB payload`.

    private fun tell(command: Int, payload: String): Int = sequence.addAndGet(2).also { send(command, it, payload) }

    private fun request(command: Int, payload: String): String {
        val number = sequence.addAndGet(2)
        val answer = CompletableFuture<Pair<Int, String>>()
        open[number] = answer
        send(command, number, payload)
        val (kind, text) = try {
            answer.get(RESPONSE_TIMEOUT_S, TimeUnit.SECONDS)
        } catch (_: TimeoutException) {
            throw PydevdError("Timeout waiting for response on $command")
        } catch (error: ExecutionException) {
            throw PydevdError(error.cause?.message.orEmpty())
        }
        if (kind == ERROR) throw PydevdError(text)
        return text
    }

    private fun send(command: Int, number: Int, payload: String) {
        val line = "$command\t$number\t${payload.replace("\n", "@LINE@")}\n"
        try {
            synchronized(connection) { connection.getOutputStream().write(line.encodeToByteArray()) }
        } catch (error: IOException) {
            throw PydevdError("Disconnected: ${error.message}")
        }
    }

    private fun listen() {
        try {
            connection.getInputStream().bufferedReader().forEachLine(::heard)
        } catch (_: IOException) {
            // The program was killed.
        }
        for (answer in open.values) answer.completeExceptionally(PydevdError("Disconnected"))
        finished()
    }

    private fun heard(line: String) {
        val (command, number, payload) = line.split("\t", limit = 3)
        val text = unquoted(payload)
        when (command.toInt()) {
            WRITE_TO_CONSOLE -> elements(text, "io").forEach { printed.append(unquoted(it.getAttribute("s"))) }
            THREAD_SUSPEND -> suspended(text)
            else -> open.remove(number.toInt())?.complete(command.toInt() to text)
        }
    }

    private fun suspended(text: String) {
        val thread = elements(text, "thread").first()
        // Else it stands as another thread has stopped.
        if (thread.getAttribute("stop_reason") == "$THREAD_SUSPEND") return
        val id = thread.getAttribute("id")
        val frames = elements(text, "frame").map {
            PydevdFrame(id, it.getAttribute("id"), it.getAttribute("name"), it.getAttribute("line").toInt())
        }
        // PyCharm's reader hands it on, too: whoever listens may ask.
        pool.execute { reached(frames) }
    }

    private companion object {
        fun unquoted(text: String): String = URLDecoder.decode(text.replace("+", "%2B"), Charsets.UTF_8)

        fun elements(text: String, name: String): List<Element> {
            val document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text.byteInputStream())
            val found = document.getElementsByTagName(name)
            return (0 until found.length).map { found.item(it) as Element }
        }
    }
}
