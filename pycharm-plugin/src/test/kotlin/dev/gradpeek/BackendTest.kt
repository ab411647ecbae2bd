package dev.gradpeek

import com.google.gson.JsonElement
import com.intellij.openapi.util.Disposer
import dev.gradpeek.debug.SessionListener
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeRequest
import dev.gradpeek.protocol.Nodes
import dev.gradpeek.protocol.Options
import dev.gradpeek.protocol.Order
import dev.gradpeek.protocol.Requests
import dev.gradpeek.protocol.RootsRequest
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.ServerUnavailableError
import dev.gradpeek.server.Sources
import dev.gradpeek.server.Start
import dev.gradpeek.server.failure
import dev.gradpeek.support.PythonProgram
import dev.gradpeek.support.TestFrame
import dev.gradpeek.support.TestSession
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue

/** The real server, in a process of its own. */
@Timeout(120)
class BackendTest {
    @TempDir
    lateinit var folder: File

    private val pool = Executors.newCachedThreadPool()
    private val inOrder = Executors.newSingleThreadExecutor()
    private val failures = LinkedBlockingQueue<ServerUnavailableError>()
    private var python = System.getenv("GRADPEEK_PYTHON")
    private val start = Start({ Sources(python, project = null) }, File("/no/such/folder"), { "en" }, pool)

    private var isVisible = true
    private val backend = Backend(start, pool, inOrder, object : Shown {
        override val options
            get() = Options(
                isVisible,
                console = true,
                Order.MODEL,
                hidePlain = false,
                onlyProblems = false,
                callers = false,
            )

        override fun changed(params: Changed) = Unit

        override fun status(params: Status) = Unit

        override fun progress(params: JsonElement) = Unit

        override fun failed(error: ServerUnavailableError) {
            failures.add(error)
        }
    })
    private val session = listenedTo(TestSession())

    private fun listenedTo(session: TestSession) =
        session.also { SessionListener.listen(it, backend.stops, Disposer.newDisposable()) }

    private fun roots() = backend.server.request(Requests.ROOTS, RootsRequest())

    private fun children(node: Node): Nodes = backend.server.request(Requests.CHILDREN, NodeRequest(node.id)).get()

    private fun servers() = ProcessHandle.current().children().filter { child ->
        child.info().commandLine().orElse("").contains("gradpeek.language_server")
    }.toList()

    /** Sees to it that all that has happened so far is told. */
    private fun isTold() = inOrder.submit {}.get()

    @AfterEach
    fun close() {
        val running = servers()
        backend.close()
        running.forEach { it.onExit().get() }
        inOrder.shutdown()
        pool.shutdown()
    }

    @Test
    fun `a stop in a real Python shows the model, its weight and the weight's gradient`() {
        PythonProgram().use { program ->
            session.pause(program.frame())
            val shown = roots().get()
            assertEquals(ViewState.SHOWN, shown.state, shown.message)
            val model = shown.nodes.single { it.label == "model" }
            val weight = children(model).nodes.single { it.label == "weight" }
            assertTrue(weight.cells.any { "[2,3]" in it.text }, weight.toString())
            assertEquals("model.weight", weight.expression)
            assertTrue(program.evaluated.size > 1)

            session.resume()
            session.pause(program.frame())
            assertEquals(model.id, roots().get().nodes.single { it.label == "model" }.id)
            session.end()
        }
    }

    @Test
    fun `a stop that nobody looks at gives the debug console its function, and no more`() {
        isVisible = false
        PythonProgram().use { program ->
            session.pause(program.frame())
            do program.evaluated.take() while (program.ask("hasattr(__import__('builtins'), 'grads')") != "True")
            assertTrue("weight" in program.ask("grads(model)"))
            session.end()
        }
    }

    @Test
    fun `a program in another language is asked what it is, and left alone`() {
        val asked = LinkedBlockingQueue<String>()
        listenedTo(TestSession("Rust")).pause(
            TestFrame { expression, callback ->
                asked.add(expression)
                callback.errorOccurred("error: expected expression")
            },
        )
        assertEquals(ViewState.NOT_PYTHON, roots().get().state)
        assertEquals(1, asked.size)
    }

    @Test
    fun `a server that is killed fails what it was asked, says so once, and is back at the next stop`() {
        val asked = CompletableFuture<String>()
        session.pause(TestFrame { expression, _ -> asked.complete(expression) })
        val pending = roots()
        asked.get()
        servers().single().destroyForcibly()
        assertTrue(failure(pending) is ServerUnavailableError)
        assertEquals(GradPeekBundle.message("server.gone"), failures.take().message)
        assertTrue(failure(roots()) is ServerUnavailableError)
        assertFalse(backend.server.isRunning)

        session.resume()
        PythonProgram().use { program ->
            session.pause(program.frame())
            isTold()
            assertEquals(ViewState.SHOWN, roots().get().state)
            session.end()
        }
        assertEquals(0, failures.size)
    }

    @Test
    fun `a server that ends at its start says why, once a stop`() {
        val fake = File(folder, "python").apply {
            writeText("#!/bin/sh\n[ \"$2\" = -c ] && exec echo 3.12 \"$0\"\necho 'no such module' >&2\nexit 3\n")
            setExecutable(true)
        }
        python = fake.path
        val words = "The GradPeek server does not start: no such module"
        assertEquals(words, failure(roots()).message)
        assertEquals(words, failure(roots()).message)
        isTold()
        assertEquals(listOf(words), failures.map { it.message })

        session.pause(TestFrame { _, _ -> })
        assertEquals(words, failure(CompletableFuture.supplyAsync { isTold() }.thenCompose { roots() }).message)
        isTold()
        assertEquals(2, failures.size)
    }

    @Test
    fun `without a Python that fits, the user reads what is needed`() {
        python = "/no/such/python"
        assertTrue("3.10" in failure(roots()).message!!)
    }
}
