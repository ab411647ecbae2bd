package dev.gradpeek.view

import com.intellij.ui.JBColor
import dev.gradpeek.protocol.Style
import dev.gradpeek.protocol.Tone
import java.awt.Color

/** The colours of the view; each is readable (4.5 : 1) on the backgrounds of light and dark themes. */
internal object Colors {
    /** What there is nothing to see of, or is of an earlier stop. */
    val FAINT: Color = JBColor(0x65686F, 0xA9ADB5)

    /** What wants a look. */
    val WARNING: Color = JBColor(0x855100, 0xE5B45C)

    /** What is wrong. */
    val ERROR: Color = JBColor(0xBC2229, 0xFF9C97)

    private val STYLES = mapOf<Style, Color>(
        Style.TYPE to JBColor(0x55596A, 0xB6BAC6),
        Style.FACTS to JBColor(0x65686F, 0xA9ADB5),
        Style.WEIGHT to JBColor(0x1B5FB4, 0x8DBBFF),
        Style.GRADIENT to JBColor(0x1C6B33, 0x86CC93),
        Style.MISSING to JBColor(0x7A4A9E, 0xD5B0F0),
        Style.INFO to JBColor(0x2E6578, 0x9CCBDD),
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
