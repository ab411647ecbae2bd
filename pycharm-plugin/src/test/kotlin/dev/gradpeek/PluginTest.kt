package dev.gradpeek

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import java.io.File
import java.util.Properties
import javax.xml.parsers.DocumentBuilderFactory

private val MAIN = File(System.getenv("GRADPEEK_TESTS")).resolveSibling("main")
private val PLUGIN = MAIN.resolve("resources/META-INF/plugin.xml")
private val CLASS = Regex("""dev\.gradpeek\.[\w.]+""")
private val KEY = Regex("""message\("([^"]+)"""")

class PluginTest {
    private val plugin = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(PLUGIN).documentElement

    private fun all(tag: String) = plugin.getElementsByTagName(tag).let { found ->
        (0 until found.length).map { found.item(it) as Element }
    }

    private fun texts(language: String) = Properties().apply {
        MAIN.resolve("resources/messages/GradPeekBundle$language.properties").reader().use(::load)
    }.entries.associate { "${it.key}" to "${it.value}" }

    @Test
    fun `every class that plugin xml names is there`() {
        val named = all("*").flatMap { element ->
            (0 until element.attributes.length).map { element.attributes.item(it).nodeValue }
        }.filter(CLASS::matches)
        assertTrue(named.size >= 2, "$named")
        for (name in named) Class.forName(name, false, javaClass.classLoader)
    }

    @Test
    fun `it says what it needs and from which version on`() {
        val needed = all("depends").map { it.textContent }.toSet()
        assertEquals(setOf("platform", "python", "xdebugger").map { "com.intellij.modules.$it" }.toSet(), needed)
        assertEquals("251", all("idea-version").single().getAttribute("since-build"))
        assertTrue(all("description").single().textContent.trim().length > 40)
    }

    @Test
    fun `it has an icon for light and for dark themes`() {
        for (name in listOf("pluginIcon", "pluginIcon_dark")) {
            val icon = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(PLUGIN.resolveSibling("$name.svg"))
            assertEquals("40", icon.documentElement.getAttribute("width"), name)
        }
    }

    @Test
    fun `every text is there in both languages, with the same values in it`() {
        val (english, chinese) = texts("") to texts("_zh_CN")
        assertEquals(english.keys, chinese.keys)
        val values = Regex("""\{\d+}""")
        fun valuesIn(text: String) = values.findAll(text).map { it.value }.toSet()
        for ((key, text) in english) {
            assertEquals(valuesIn(text), valuesIn(chinese.getValue(key)), key)
            // The IDE formats only texts with values: an apostrophe means another thing in each.
            assertFalse("'" in text, key)
        }
    }

    @Test
    fun `every text that is there is used, and every one that is used is there`() {
        val sources = MAIN.resolve("kotlin").walk().filter { it.extension == "kt" }
        val used = sources.flatMap { KEY.findAll(it.readText()).map { found -> found.groupValues[1] } }.toSet() +
            all("*").map { it.getAttribute("key") }.filter(String::isNotEmpty)
        assertEquals(texts("").keys, used)
    }
}
