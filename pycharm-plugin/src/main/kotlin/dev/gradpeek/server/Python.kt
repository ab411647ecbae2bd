package dev.gradpeek.server

import java.io.File
import java.io.IOException
import java.util.concurrent.TimeUnit

/** Who named a Python. */
enum class Origin { SETTING, PROJECT, PATH }

/** A way to start a Python, and who named it. */
data class Candidate(val origin: Origin, val command: List<String>)

/** What a candidate turned out to be. */
sealed interface Verdict {
    /** @property executable path of the interpreter itself. */
    data class Fits(val version: String, val executable: String) : Verdict

    data class Unfit(val reason: String) : Verdict
}

/**
 * Where candidates come from, in the order in which they are asked.
 *
 * @property setting the path in the settings, empty where there is none.
 * @property project home of the project's interpreter, where it has one.
 */
data class Sources(val setting: String, val project: String?, val isWindows: Boolean = File.separatorChar == '\\')

/**
 * No Python fits; what came of each was told.
 *
 * @property setting what the setting names, where it is set: no other one was looked at then.
 */
class NoPythonError(val setting: String) : ServerError("No Python can run the server.")

private const val CHECK = "import sys; print('%d.%d %s' % (sys.version_info[:2] + (sys.executable,)))"
private const val OLDEST_MINOR = 10
private const val CHECK_TIMEOUT_MS = 10_000L
private val ANSWER = Regex("""^(\d+)\.(\d+) (.+)$""", RegexOption.MULTILINE)

/**
 * The first Python that fits: the one of the setting, else the project's, else one on PATH. Where the
 * setting is set only that one counts: a choice that cannot be followed is said, never replaced.
 *
 * Waits for processes: not for the EDT.
 *
 * @param tell hears what came of each candidate.
 * @throws NoPythonError where none fits.
 */
fun findPython(sources: Sources, tell: (Candidate, Verdict) -> Unit): Verdict.Fits {
    for (candidate in candidates(sources).distinctBy(Candidate::command)) {
        val verdict = check(candidate.command)
        tell(candidate, verdict)
        if (verdict is Verdict.Fits) return verdict
    }
    throw NoPythonError(sources.setting)
}

private fun candidates(sources: Sources): List<Candidate> {
    if (sources.setting.isNotEmpty()) return listOf(Candidate(Origin.SETTING, listOf(expandHome(sources.setting))))
    val onPath = listOf(listOf("python3"), listOf("python"))
    val launcher = if (sources.isWindows) listOf(listOf("py", "-3")) else emptyList()
    return listOfNotNull(sources.project?.let { Candidate(Origin.PROJECT, listOf(it)) }) +
        (launcher + onPath).map { Candidate(Origin.PATH, it) }
}

/** What a command says of itself: whether it starts, in time, and is new enough. */
fun check(command: List<String>, timeoutMs: Long = CHECK_TIMEOUT_MS): Verdict {
    // Files, as a pipe that nobody empties could fill up.
    val out = File.createTempFile("gradpeek", ".out")
    val err = File.createTempFile("gradpeek", ".err")
    try {
        val process = ProcessBuilder(command + listOf("-I", "-c", CHECK)).redirectOutput(out).redirectError(err).start()
        process.outputStream.close()
        if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly()
            return Verdict.Unfit("no answer within ${timeoutMs / 1000} s")
        }
        val found = ANSWER.find(out.readText())
        if (process.exitValue() != 0 || found == null) {
            val words = err.readText().trim().lines().last()
            val because = if (words.isEmpty()) "" else ": $words"
            return Verdict.Unfit("is not a Python that starts (status ${process.exitValue()})$because")
        }
        val (major, minor, executable) = found.destructured
        return if (major == "3" && minor.toInt() >= OLDEST_MINOR) {
            Verdict.Fits("$major.$minor", executable.trim())
        } else {
            Verdict.Unfit("is Python $major.$minor; 3.$OLDEST_MINOR or later is needed")
        }
    } catch (error: IOException) {
        return Verdict.Unfit(error.message ?: error.toString())
    } finally {
        out.delete()
        err.delete()
    }
}

private fun expandHome(path: String): String =
    if (path.startsWith("~/") || path.startsWith("~\\")) System.getProperty("user.home") + path.drop(1) else path
