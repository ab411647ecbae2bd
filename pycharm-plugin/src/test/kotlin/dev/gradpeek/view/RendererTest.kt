package dev.gradpeek.view

import com.intellij.ui.JBColor
import com.intellij.ui.SimpleTextAttributes
import com.intellij.ui.treeStructure.Tree
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeKind
import dev.gradpeek.protocol.Style
import dev.gradpeek.protocol.Tone
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import java.awt.Color
import java.awt.image.BufferedImage
import javax.swing.Icon

private const val READABLE = 4.5

/** How a row is drawn. */
class RendererTest {
    private var searched = emptyList<String>()
    private var isBehind = false
    private val renderer = onEdt {
        RowRenderer(object : Drawn {
            override val words get() = searched
            override val isBehind get() = this@RendererTest.isBehind
        })
    }

    private fun drawn(node: Node): List<Pair<String, SimpleTextAttributes>> = onEdt {
        renderer.getTreeCellRendererComponent(Tree(Rows().model), Row(node), false, false, true, 0, false)
        val fragments = renderer.iterator()
        buildList { while (fragments.hasNext()) add(fragments.next() to fragments.textAttributes) }
    }

    @AfterEach
    fun light() = JBColor.setDark(false)

    @ParameterizedTest
    @EnumSource(Style::class)
    fun `a cell has the colour of its style`(style: Style) {
        val fragments = drawn(node("w", "weight", cells = listOf(cell("text", style))))
        assertEquals(listOf("weight", "  ", "text"), fragments.map { it.first })
        assertNull(fragments[0].second.fgColor)
        assertEquals(Colors.of(style), fragments[2].second.fgColor)
    }

    @Test
    fun `styles that mean different things look different`() {
        val told = listOf(Style.WEIGHT, Style.GRADIENT, Style.MISSING, Style.WARNING, Style.ERROR, Style.FACTS)
        for (isDark in listOf(false, true)) {
            JBColor.setDark(isDark)
            assertEquals(told.size, told.map { Colors.of(it).rgb }.toSet().size)
        }
    }

    @ParameterizedTest
    @EnumSource(Tone::class)
    fun `a label has the colour of its tone`(tone: Tone) {
        assertEquals(Colors.of(tone), drawn(node("w", tone = tone)).single().second.fgColor)
    }

    @Test
    fun `a stale row is faint all over, and so is every row while the tree is behind`() {
        val cells = listOf(cell("∇ NaN", Style.ERROR), cell("‖w‖ 1", Style.WEIGHT))
        val stale = drawn(node("w", cells = cells, tone = Tone.ERROR, isStale = true))
        isBehind = true
        val behind = drawn(node("w", cells = cells, tone = Tone.ERROR))
        for (fragments in listOf(stale, behind)) {
            val colors = fragments.filter { it.first.isNotBlank() }.map { it.second.fgColor }.toSet()
            assertEquals(setOf(Colors.FAINT), colors)
        }
    }

    @ParameterizedTest
    @CsvSource(
        "false,#FFFFFF", "false,#F7F8FA", "false,#D4E2FF", "false,#DFE1E5",
        "true,#2B2D30", "true,#3C3F41", "true,#1E1F22", "true,#2E436E", "true,#43454A",
    )
    fun `every colour can be read on the backgrounds of the IDE's themes, selected or not`(
        isDark: Boolean,
        background: String,
    ) {
        JBColor.setDark(isDark)
        val colors = Style.entries.map { it.name to Colors.of(it) } +
            Tone.entries.mapNotNull { tone -> Colors.of(tone)?.let { tone.name to it } }
        for ((name, color) in colors) {
            val ratio = contrast(color, Color.decode(background))
            assertTrue(ratio >= READABLE, "$name on $background: $ratio")
        }
    }

    @Test
    fun `the words that are searched for are marked, in any case and wherever they are`() {
        searched = listOf("conv", "3")
        val fragments = drawn(node("c", "Conv2d.conv", cells = listOf(cell("‖w‖ 3.3", Style.WEIGHT))))
        assertEquals(
            listOf("Conv" to true, "2d." to false, "conv" to true, "  " to false, "‖w‖ " to false, "3" to true) +
                listOf("." to false, "3" to true),
            fragments.map { it.first to it.second.isSearchMatch },
        )
    }

    @Test
    fun `a screen reader hears the line as the server words it`() {
        drawn(node("w", "weight"))
        assertEquals("weight spoken", onEdt { renderer.accessibleContext.accessibleName })
    }

    @Test
    fun `text that looks like HTML is text, in the row and in its tooltip`() {
        val fragments = drawn(node("h", "<html><b>x", cells = listOf(cell("<img src=a>&", Style.TYPE))))
        assertEquals("<html><b>x  <img src=a>&", fragments.joinToString("") { it.first })
        assertEquals("<html>&lt;html&gt;&lt;b&gt;x  &lt;img src=a&gt;&amp;</html>", onEdt { renderer.toolTipText })
    }

    @Test
    fun `a cell of a hundred thousand letters is drawn in its row`() {
        drawn(node("w", cells = listOf(cell("x".repeat(100_000), Style.FACTS))))
        val size = onEdt { renderer.preferredSize }
        assertTrue(size.width > 100_000 && size.height < 60, "$size")
    }

    @ParameterizedTest
    @EnumSource(NodeKind::class)
    fun `every kind has an icon of its own, for light and for dark themes, and one with a pin`(kind: NodeKind) {
        val plain = Icons.of(node("n", kind = kind))
        val pictures = listOf(false, true).map { isDark ->
            JBColor.setDark(isDark)
            pixels(plain)
        }
        assertTrue(pictures.all { picture -> picture.any { it != 0 } })
        assertNotEquals(pictures[0], pictures[1])
        assertEquals(2 * plain.iconWidth, Icons.of(node("n", kind = kind, pinned = true)).iconWidth)
        JBColor.setDark(false)
        val others = NodeKind.entries.filter { it != kind }.map { pixels(Icons.of(node("n", kind = it))) }
        assertTrue(pictures[0] !in others)
    }

    private fun pixels(icon: Icon): List<Int> {
        val image = BufferedImage(icon.iconWidth, icon.iconHeight, BufferedImage.TYPE_INT_ARGB)
        image.createGraphics().also { icon.paintIcon(null, it, 0, 0) }.dispose()
        return image.getRGB(0, 0, image.width, image.height, null, 0, image.width).toList()
    }
}

/** How well one colour can be read on another, after the Web Content Accessibility Guidelines 2.1. */
internal fun contrast(one: Color, other: Color): Double {
    fun luminance(color: Color): Double {
        val (r, g, b) = listOf(color.red, color.green, color.blue).map { it / 255.0 }
            .map { if (it <= 0.04045) it / 12.92 else Math.pow((it + 0.055) / 1.055, 2.4) }
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    val (dark, light) = listOf(luminance(one), luminance(other)).sorted()
    return (light + 0.05) / (dark + 0.05)
}
