package dev.gradpeek.server

import com.intellij.openapi.diagnostic.Logger
import dev.gradpeek.GradPeekBundle
import java.io.File
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/**
 * Chooses the Python, and starts the server in it.
 *
 * @param sources asked at each start, on a pooled thread.
 * @param backend the folder with the bundled server.
 */
internal class Start(
    private val sources: () -> Sources,
    private val backend: File,
    private val locale: () -> String,
    private val pool: Executor,
) : Connect {
    override fun connect(peer: Peer): CompletableFuture<out Client> =
        CompletableFuture.supplyAsync({ launch() }, pool).thenCompose { launch ->
            try {
                LanguageServer.start(launch, peer, pool)
            } catch (error: IOException) {
                CompletableFuture.failedFuture(error)
            }
        }

    private fun launch(): Launch = try {
        val python = findPython(sources(), ::tell).executable
        // Not in the project: what lies there is none of the server's business.
        Launch(commandLine(python, backend), backend.takeIf(File::isDirectory), locale())
    } catch (error: NoPythonError) {
        val why = if (error.setting.isEmpty()) {
            GradPeekBundle.message("server.no.python")
        } else {
            GradPeekBundle.message("server.wrong.python", error.setting)
        }
        throw NoUsablePythonError(why)
    }

    private fun tell(candidate: Candidate, verdict: Verdict) {
        val from = "${candidate.command.joinToString(" ")} (${candidate.origin})"
        when (verdict) {
            is Verdict.Fits -> LOG.info("Runs the server: $from, Python ${verdict.version}")
            is Verdict.Unfit -> LOG.warn("Does not run the server: $from: ${verdict.reason}")
        }
    }

    private companion object {
        val LOG = Logger.getInstance(Start::class.java)
    }
}
