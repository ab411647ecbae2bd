package dev.gradpeek.view

import com.intellij.ui.JBColor
import dev.gradpeek.protocol.Style
import dev.gradpeek.protocol.Tone
import java.awt.Color

/** The colours of the view; each is readable (4.5 : 1) on the backgrounds of light and dark themes, selected or not. */
internal object Colors {
    /** What there is nothing to see of, or is of an earlier stop. */
    val FAINT: Color = JBColor(0x5C5F66, 0xB0B4BC)

    /** What wants a look. */
    val WARNING: Color = JBColor(0x7A4A00, 0xE8BC6C)

    /** What is wrong. */
    val ERROR: Color = JBColor(0xB01E26, 0xFFA6A1)

    private val STYLES = mapOf<Style, Color>(
        Style.TYPE to JBColor(0x4F5363, 0xBDC1CC),
        Style.FACTS to FAINT,
        Style.WEIGHT to JBColor(0x1A58A8, 0x9AC3FF),
        Style.GRADIENT to JBColor(0x1A6430, 0x93D39F),
        Style.MISSING to JBColor(0x71449A, 0xDBBAF2),
        Style.INFO to JBColor(0x2A5D6E, 0xA6D2E3),
        Style.WARNING to WARNING,
        Style.ERROR to ERROR,
    )

    /** The colour of text of that style. */
    fun of(style: Style): Color = STYLES.getValue(style)

    /** The colour of a row's label; null for that of the tree. */
    fun of(tone: Tone): Color? = when (tone) {
        Tone.NORMAL -> null
        Tone.FAINT -> FAINT
        Tone.WARNING -> WARNING
        Tone.ERROR -> ERROR
    }
}
