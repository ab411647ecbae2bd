package dev.gradpeek.settings

import com.intellij.util.xmlb.XmlSerializer
import dev.gradpeek.protocol.Order
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class SettingsTest {
    @Test
    fun `the IDE stores all of them`() {
        fun stored(type: Class<*>) = XmlSerializer.getBeanBinding(type).bindings!!.map {
            Regex("nameAttributeValue=(\\w+)").find(it.toString())!!.groupValues[1]
        }.toSet()
        val settings = setOf("interpreter", "automatic", "hasConsole", "introduced")
        assertEquals(settings, stored(Settings.Values::class.java))
        val options = setOf("order", "hidePlain", "onlyProblems", "callers")
        assertEquals(options, stored(ViewOptions.Values::class.java))
    }

    @Test
    fun `at first stops are looked at by themselves, consoles get grads, and the server's Python is found`() {
        assertEquals(Settings.Values(interpreter = "", isAutomatic = true, hasConsole = true), Settings().state)
        assertEquals(ViewOptions.Values(Order.MODEL), ViewOptions().state)
    }

    @Test
    fun `what was stored is there again, and what is handed out is a copy`() {
        val stored = Settings.Values("/python", isAutomatic = false)
        val settings = Settings().apply { loadState(stored) }
        stored.interpreter = "/other"
        settings.state.hasConsole = false
        assertEquals(Settings.Values("/python", isAutomatic = false), settings.state)
        val options = ViewOptions().apply { loadState(ViewOptions.Values(Order.SIZE, callers = true)) }
        options.state.order = Order.NAME
        assertEquals(ViewOptions.Values(Order.SIZE, callers = true), options.state)
    }

    @Test
    fun `who listens hears what was and what is, only where that differs, until they leave`() {
        val settings = Settings()
        val heard = ArrayList<Pair<String, String>>()
        val leave = settings.onChange { before, after -> heard.add(before.interpreter to after.interpreter) }
        settings.change { interpreter = "/a" }
        settings.change { interpreter = "/a" }
        settings.change { interpreter = "/b" }
        leave()
        settings.change { interpreter = "/c" }
        assertEquals(listOf("" to "/a", "/a" to "/b"), heard)
    }
}
