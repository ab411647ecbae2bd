package dev.gradpeek.notifications

import dev.gradpeek.GradPeekBundle
import dev.gradpeek.UntrustedProjectError
import dev.gradpeek.server.ServerUnavailableError
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class BalloonsTest {
    private val done = ArrayList<String>()
    private val remedies = object : Remedies {
        override fun openSettings() {
            done.add("settings")
        }

        override fun openLog() {
            done.add("log")
        }

        override fun refresh() {
            done.add("again")
        }
    }

    @Test
    fun `a failure is told with its reason as text, and with what can be done`() {
        val balloon = balloonOf(ServerUnavailableError("<a href='x'>no</a> & <b>"), remedies)
        assertEquals(GradPeekBundle.message("server.failed.title"), balloon.title)
        assertEquals("&lt;a href='x'&gt;no&lt;/a&gt; &amp; &lt;b&gt;", balloon.content)
        val links = listOf("failed.settings", "failed.log", "failed.again").map(::text)
        assertEquals(links, balloon.links.map(Link::text))
        balloon.links.forEach { it.act() }
        assertEquals(listOf("settings", "log", "again"), done)
    }

    @Test
    fun `for a project that is not trusted no other interpreter is of use`() {
        val balloon = balloonOf(UntrustedProjectError(), remedies)
        assertEquals(text("server.untrusted"), balloon.content)
        assertEquals(listOf(text("failed.again")), balloon.links.map(Link::text))
    }

    private fun text(key: String) = GradPeekBundle.message(key)
}
