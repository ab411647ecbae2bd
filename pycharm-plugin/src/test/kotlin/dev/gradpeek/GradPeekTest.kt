package dev.gradpeek

import com.intellij.notification.NotificationGroup
import com.intellij.notification.NotificationGroupManager
import com.intellij.openapi.Disposable
import com.intellij.openapi.util.Disposer
import com.intellij.openapi.wm.ToolWindow
import com.intellij.openapi.wm.ToolWindowManager
import com.intellij.ui.content.ContentManager
import dev.gradpeek.settings.Settings
import dev.gradpeek.settings.ViewOptions
import dev.gradpeek.support.TestApplication
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.frameOf
import dev.gradpeek.support.projectOf
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.awt.EventQueue
import java.io.File
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue

/** The service as the IDE makes it, in an IDE that knows nothing of trust: no project is trusted there. */
@Timeout(60)
class GradPeekTest {
    @TempDir
    lateinit var folder: File

    private val settings = Settings()
    private val happened = LinkedBlockingQueue<String>()
    private val pool = Executors.newCachedThreadPool()
    private val inOrder = Executors.newSingleThreadExecutor()
    private val ide = TestApplication(
        Settings::class.java to settings,
        NotificationGroupManager::class.java to NotificationGroupManager {
            happened.add("balloon")
            NotificationGroup()
        },
    )
    private val project = projectOf(
        ViewOptions::class.java to ViewOptions(),
        ToolWindowManager::class.java to object : ToolWindowManager() {
            override fun getToolWindow(id: String?) = Window()
        },
    )
    private val gradPeek = GradPeek(project, pool, inOrder)

    private inner class Window : ToolWindow {
        override fun show(then: Runnable?) {
            check(EventQueue.isDispatchThread())
            happened.add("shown")
        }

        override fun activate(then: Runnable?) = error("the focus stays where it is")
        override fun isVisible() = false
        override fun getContentManager(): ContentManager = error("nobody fills it")
        override fun getDisposable(): Disposable = Disposer.newDisposable()
    }

    @AfterEach
    fun close() {
        gradPeek.dispose()
        ide.close()
        inOrder.shutdown()
        pool.shutdown()
    }

    @Test
    fun `a project that is not trusted has its stop shown and said why nothing is, and no interpreter runs`() {
        val trace = File(folder, "ran")
        val python = File(folder, "python").apply {
            writeText("#!/bin/sh\n: > '${trace.path}'\n")
            setExecutable(true)
        }
        settings.change { interpreter = python.path }
        val session = TestSession()
        gradPeek.watch(session)
        session.pause(frameOf("1"))
        assertEquals(setOf("shown", "balloon"), setOf(happened.take(), happened.take()))
        assertFalse(trace.exists())
        assertTrue(settings.state.isIntroduced)

        session.resume()
        session.pause(frameOf("1"))
        assertEquals("balloon", happened.take())
        inOrder.submit {}.get()
        EventQueue.invokeAndWait {}
        assertEquals(0, happened.size)
    }

    @Test
    fun `a program in another language neither opens the tool window nor starts anything`() {
        val session = TestSession("Rust")
        gradPeek.watch(session)
        session.pause(frameOf("1"))
        inOrder.submit {}.get()
        EventQueue.invokeAndWait {}
        assertEquals(0, happened.size)
    }
}
