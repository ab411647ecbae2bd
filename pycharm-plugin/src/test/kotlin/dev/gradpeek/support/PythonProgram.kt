package dev.gradpeek.support

import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.intellij.xdebugger.frame.XStackFrame
import java.io.File
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue

/** A real Python process with torch in it, and a frame that evaluates there as PyCharm shows it. */
class PythonProgram : AutoCloseable {
    private val script = File(System.getenv("GRADPEEK_TESTS"), "python/evaluating.py")
    private val process = ProcessBuilder(System.getenv("GRADPEEK_PYTHON"), script.path)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
    private val answers = process.inputStream.bufferedReader()
    private val questions = process.outputStream.bufferedWriter()
    private val one = Executors.newSingleThreadExecutor()

    /** The expressions that were evaluated. */
    val evaluated = LinkedBlockingQueue<String>()

    /** The frame at a stop, a new one each time. */
    fun frame(): XStackFrame = TestFrame { expression, callback ->
        one.execute {
            val answer = evaluate(expression)
            evaluated.add(expression)
            if (answer.has("error")) {
                callback.errorOccurred(answer["error"].asString)
            } else {
                callback.evaluated(CutValue(answer["text"].asString))
            }
        }
    }

    /** What an expression of the test's own evaluates to. */
    fun ask(expression: String): String = one.submit(Callable { evaluate(expression)["text"].asString }).get()

    private fun evaluate(expression: String): JsonObject {
        questions.write(JsonObject().apply { addProperty("expression", expression) }.toString() + "\n")
        questions.flush()
        return JsonParser.parseString(answers.readLine()).asJsonObject
    }

    override fun close() {
        one.shutdownNow()
        questions.close()
        process.waitFor()
    }
}
