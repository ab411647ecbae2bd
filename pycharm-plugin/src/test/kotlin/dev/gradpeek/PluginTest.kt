package dev.gradpeek

import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.intellij.openapi.actionSystem.AnAction
import com.intellij.openapi.options.Configurable
import com.intellij.openapi.project.Project
import com.intellij.openapi.wm.ToolWindowFactory
import com.intellij.xdebugger.XDebuggerManagerListener
import dev.gradpeek.toolwindow.GradientsToolWindow
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import java.io.File
import java.util.Properties
import javax.xml.parsers.DocumentBuilderFactory

private val MAIN = File(System.getenv("GRADPEEK_TESTS")).resolveSibling("main")
private val RESOURCES = MAIN.resolve("resources")
private val PLUGIN = RESOURCES.resolve("META-INF/plugin.xml")
private val CLASS = Regex("""dev\.gradpeek\.[\w.]+""")
private val KEY = Regex("""message\(\s*"([^"]+)"""")

/** What the IDE makes of the classes that plugin.xml names: the type, and from what it can make one. */
private val ROLES: Map<String, Pair<Class<*>, List<Class<*>?>>> = mapOf(
    "action@class" to (AnAction::class.java to listOf(null)),
    "toolWindow@factoryClass" to (ToolWindowFactory::class.java to listOf(null)),
    "applicationConfigurable@instance" to (Configurable::class.java to listOf(null)),
    "listener@class" to (XDebuggerManagerListener::class.java to listOf(null, Project::class.java)),
    "projectService@serviceImplementation" to (Any::class.java to listOf(null, Project::class.java)),
    "applicationService@serviceImplementation" to (Any::class.java to listOf(null)),
)

class PluginTest {
    private val plugin = parsed(PLUGIN)

    private fun parsed(file: File) = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).documentElement

    private fun all(tag: String) = plugin.getElementsByTagName(tag).let { found ->
        (0 until found.length).map { found.item(it) as Element }
    }

    private fun attributes(element: Element) =
        (0 until element.attributes.length).map { element.attributes.item(it) }.associate { it.nodeName to it.nodeValue }

    private fun texts(language: String) = Properties().apply {
        RESOURCES.resolve("messages/GradPeekBundle$language.properties").reader().use(::load)
    }.entries.associate { "${it.key}" to "${it.value}" }

    @Test
    fun `every class that plugin xml names is there, is what the IDE takes it for, and can be made by it`() {
        val named = all("*").flatMap { element ->
            attributes(element).filterValues(CLASS::matches).map { (name, value) -> "${element.tagName}@$name" to value }
        }.filter { (_, value) -> value != "dev.gradpeek.settings" }
        assertTrue(named.size > 20, "$named")
        for ((role, name) in named) {
            val type = Class.forName(name, false, javaClass.classLoader)
            val (supertype, makers) = ROLES[role] ?: error("$role is not expected to name a class")
            assertTrue(supertype.isAssignableFrom(type), "$name is no ${supertype.simpleName}")
            val made = type.constructors.map { it.parameterTypes.toList() }
            assertTrue(made.any { it in makers.map { maker -> listOfNotNull(maker) } }, "$name: $made")
        }
    }

    @Test
    fun `it says what it needs and from which version on`() {
        val needed = all("depends").map { it.textContent }.toSet()
        assertEquals(setOf("platform", "python", "xdebugger").map { "com.intellij.modules.$it" }.toSet(), needed)
        assertEquals("251", all("idea-version").single().getAttribute("since-build"))
        for (tag in listOf("description", "change-notes")) assertTrue(all(tag).single().textContent.trim().length > 40)
    }

    @Test
    fun `Show Gradients is in the menus of the debugger's trees and of the editor`() {
        val groups = all("action").associate { action ->
            val added = action.getElementsByTagName("add-to-group")
            action.getAttribute("id") to (0 until added.length).map { (added.item(it) as Element).getAttribute("group-id") }
        }.filterValues(List<String>::isNotEmpty)
        val expected = mapOf(
            "GradPeek.ShowGradients" to listOf("XDebugger.ValueGroup"),
            "GradPeek.ShowGradientsInEditor" to listOf("EditorPopupMenuDebug"),
        )
        assertEquals(expected, groups)
    }

    @Test
    fun `actions and tool windows that the code asks for by id are registered`() {
        val ids = (all("action") + all("group")).map { it.getAttribute("id") }
        assertEquals(ids.distinct(), ids)
        val source = MAIN.resolve("kotlin/dev/gradpeek/toolwindow/GradientsToolWindow.kt").readText()
        val rows = Regex("""add\("(\w+)"""").findAll(source).map { "GradPeek.${it.groupValues[1]}" }.toList()
        assertEquals(7, rows.size)
        assertTrue(ids.containsAll(rows + "GradPeek.Toolbar"), "$rows")
        assertEquals(GradientsToolWindow.ID, all("toolWindow").single().getAttribute("id"))
    }

    @Test
    fun `every icon is there, for light and for dark themes and for the new look, in the size of its place`() {
        val sizes = mapOf("META-INF/pluginIcon" to "40", "icons/toolWindowGradients" to "13", "icons/showGradients" to "16") +
            mapOf("icons/expui/toolWindowGradients" to "16", "icons/expui/toolWindowGradients@20x20" to "20")
        for ((name, size) in sizes) {
            for (theme in listOf("", "_dark")) {
                val icon = parsed(RESOURCES.resolve("$name$theme.svg"))
                assertEquals(size to size, icon.getAttribute("width") to icon.getAttribute("height"), name + theme)
            }
        }
        val named = all("*").map { it.getAttribute("icon") }.filter { it.startsWith("/") }.toSet()
        assertEquals(setOf("/icons/toolWindowGradients.svg", "/icons/showGradients.svg"), named)
        val mapping = RESOURCES.resolve(all("iconMapper").single().getAttribute("mappingFile")).readText()
        val mapped = JsonParser.parseString(mapping).asJsonObject.getAsJsonObject("icons").getAsJsonObject("expui")
        assertEquals(named, mapped.flat().map { "/$it" }.toSet())
    }

    private fun JsonObject.flat() = entrySet().flatMap { (name, old) ->
        assertTrue(RESOURCES.resolve("icons/expui/$name").exists(), name)
        old.asJsonArray.map { it.asString }
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
            all("*").map { it.getAttribute("key") }.filter(String::isNotEmpty) +
            all("action").flatMap { action -> listOf("text", "description").map { "action.${action.getAttribute("id")}.$it" } } +
            all("group").map { "group.${it.getAttribute("id")}.text" } +
            all("toolWindow").map { "toolwindow.stripe.${it.getAttribute("id")}" }
        assertEquals(texts("").keys, used)
        assertNotNull(all("actions").single().getAttribute("resource-bundle"))
    }
}
