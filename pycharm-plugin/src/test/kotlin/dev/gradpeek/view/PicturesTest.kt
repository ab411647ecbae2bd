package dev.gradpeek.view

import com.google.gson.JsonParser
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeKind
import dev.gradpeek.protocol.Style
import dev.gradpeek.protocol.Tone
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.ServerUnavailableError
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.awt.Color
import java.awt.RenderingHints
import java.awt.image.BufferedImage
import java.io.File
import java.util.Locale
import javax.imageio.ImageIO
import javax.swing.JTextField
import javax.swing.JTextPane

private val FOLDER = File(System.getenv("GRADPEEK_TESTS")).resolve("../../../build/pycharm").normalize()

/** As on a screen with two pixels for each. */
private const val SCALE = 2

/** The whole panel as it looks in a tool window, saved as pictures in build/pycharm. */
@Timeout(60)
class PicturesTest {
    private var fixture: PanelFixture? = null

    @AfterEach
    fun close() {
        fixture?.close()
        onEdt(Theme::uninstall)
        speak(Locale.ENGLISH)
    }

    private fun begin(theme: Theme, width: Int = 460, height: Int = 640): PanelFixture {
        onEdt(theme::install)
        return PanelFixture(width, height).also { fixture = it }
    }

    /** The picture of the panel, which is saved under that name, too. */
    private fun PanelFixture.picture(name: String, theme: Theme): BufferedImage = onEdt {
        panel.validate()
        val image = BufferedImage(panel.width * SCALE, panel.height * SCALE, BufferedImage.TYPE_INT_RGB)
        val canvas = image.createGraphics()
        canvas.scale(SCALE.toDouble(), SCALE.toDouble())
        canvas.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON)
        panel.paint(canvas)
        canvas.dispose()
        FOLDER.mkdirs()
        ImageIO.write(image, "png", FOLDER.resolve("$name-${theme.name.lowercase()}.png"))
        image
    }

    private fun BufferedImage.colors(): Map<Int, Int> =
        getRGB(0, 0, width, height, null, 0, width).groupBy { it and 0xFFFFFF }.mapValues { it.value.size }

    private fun assertDrawn(image: BufferedImage, theme: Theme, vararg colors: Color) {
        val seen = image.colors()
        assertEquals(theme.background, seen.maxBy { it.value }.key)
        for (color in colors) assertTrue((color.rgb and 0xFFFFFF) in seen, "$color is not in the picture")
        // A line in the colour of text that is cut in the middle would end at the edge.
        val edge = (0 until image.height).map { image.getRGB(0, it) and 0xFFFFFF }.toSet()
        assertTrue(theme.text !in edge, "text is drawn over the edge")
    }

    private fun PanelFixture.record(recorded: Recorded) {
        server.tree = recorded.tree
        server.details = recorded.details
        show()
        until("no rows") { tree.rowCount > 2 }
        onEdt { panel.status(recorded.status) }
    }

    private fun PanelFixture.unfoldAndSelect(vararg labels: String) {
        for (label in labels.dropLast(1)) {
            if (row(label).let { row -> onEdt { tree.isExpanded(row.treePath) } }) continue
            val before = onEdt { tree.rowCount }
            expand(label)
            until("$label does not unfold") { tree.rowCount > before }
        }
        val row = row(labels.last())
        onEdt { tree.selectionPath = row.treePath }
        until("no statistics") { all(JTextPane::class.java).single().text.lines().size > 3 }
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `rows after a backward, with the statistics of one`(theme: Theme) {
        val fixture = begin(theme)
        fixture.record(Recorded("en", 1))
        fixture.unfoldAndSelect("model", "modle1", "0", "weight")
        val image = fixture.picture("tree", theme)
        val styles = listOf(Style.WEIGHT, Style.GRADIENT, Style.MISSING, Style.FACTS).map { Colors.of(it) }
        assertDrawn(image, theme, *styles.toTypedArray())
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `rows before the first backward in a wide tool window`(theme: Theme) {
        val fixture = begin(theme, 1100, 420)
        fixture.record(Recorded("en", 0))
        fixture.unfoldAndSelect("model", "modle1", "0", "weight")
        assertDrawn(fixture.picture("wide", theme), theme, Colors.of(Style.MISSING), Colors.of(Style.TYPE))
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `rows in Chinese`(theme: Theme) {
        speak(Locale.SIMPLIFIED_CHINESE)
        val fixture = begin(theme)
        fixture.record(Recorded("zh-cn", 0))
        fixture.unfoldAndSelect("model", "modle1", "0", "weight")
        assertDrawn(fixture.picture("chinese", theme), theme, Colors.of(Style.MISSING))
    }

    /** Nodes of every kind, style and tone. */
    private val every: List<Node> = NodeKind.entries.mapIndexed { place, kind ->
        val style = Style.entries[place % Style.entries.size]
        node(
            kind.name,
            kind.name.lowercase(),
            kind,
            listOf(cell("as ${style.name.lowercase()}", style), cell("[32,3,5,5] float32", Style.FACTS)),
            Tone.entries[place % Tone.entries.size],
            expandable = place % 3 == 0,
            pinned = place % 4 == 1,
        )
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `every kind of row in every style`(theme: Theme) {
        val fixture = begin(theme)
        fixture.server.tree = mapOf(null to every)
        fixture.show()
        fixture.until("no rows") { fixture.tree.rowCount == every.size }
        assertDrawn(fixture.picture("kinds", theme), theme, *Style.entries.map { Colors.of(it) }.toTypedArray())
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `a search with its matches marked`(theme: Theme) {
        val fixture = begin(theme)
        fixture.record(Recorded("en", 1))
        onEdt { fixture.panel.search() }
        onEdt { fixture.all(JTextField::class.java).single().text = "weight" }
        fixture.until("nothing is found") { fixture.panel.selected?.label == "weight" }
        fixture.until("no statistics") { fixture.all(JTextPane::class.java).single().text.lines().size > 3 }
        val marked = Color(if (theme.isDark) 0x6E5A20 else 0xFFE08A)
        assertDrawn(fixture.picture("search", theme), theme, marked)
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `rows of an earlier stop, and work that lasts`(theme: Theme) {
        val fixture = begin(theme)
        fixture.record(Recorded("en", 1))
        fixture.isAutomatic = false
        fixture.stop(fixture.server.tree)
        fixture.until("they are not stale") { fixture.all(MessageLine::class.java).single().text.isNotEmpty() }
        val begin = """{"token": 1, "value": {"kind": "begin", "title": "Reading gradients",
            "message": "1.2 of 3.4 million elements", "percentage": 35, "cancellable": true}}"""
        onEdt { fixture.panel.progress(JsonParser.parseString(begin)) }
        val image = fixture.picture("stale", theme)
        assertDrawn(image, theme, Colors.FAINT)
        val seen = image.colors().keys
        for (style in listOf(Style.WEIGHT, Style.GRADIENT, Style.MISSING)) {
            assertTrue((Colors.of(style).rgb and 0xFFFFFF) !in seen, "$style is not faint")
        }
    }

    @ParameterizedTest
    @EnumSource(Theme::class)
    fun `empty trees that say why`(theme: Theme) {
        for (locale in listOf(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            speak(locale)
            for (state in ViewState.entries.filter { it != ViewState.SHOWN }) {
                val fixture = begin(theme, 340, 360)
                fixture.sessions = 0
                fixture.server.state = state
                fixture.show()
                if (state == ViewState.FAILED) {
                    fixture.panel.failed(ServerUnavailableError("GradPeek found no Python 3.10 or later to run in."))
                }
                fixture.until("nothing is asked") { state == ViewState.FAILED || fixture.server.all.isNotEmpty() }
                onEdt { }
                val name = "empty-${state.name.lowercase()}-${locale.language}"
                assertDrawn(fixture.picture(name, theme), theme, Colors.FAINT)
                fixture.close()
                this.fixture = null
            }
        }
    }
}
