package dev.gradpeek.e2e

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import javax.swing.JComponent

/** Programs that are not nice. */
class HostileTest {
    private val ide = Ide().also { it.showPanel() }
    private val look = Looking(ide)

    @AfterEach
    fun close() = ide.close()

    @ParameterizedTest
    @EnumSource
    internal fun `names that would be markup or more lines than one are drawn letter by letter`(debugger: Debugger) {
        val session = debugger.begin(ide, "hostile")
        session.stopsAt("hostile")
        look.at("small", words = "‖w‖ \\d")
        val last = look.at("model", "last", words = "‖w‖ \\d")
        val model = look.at("model", words = "‖w‖ \\d")
        val drawn = look.lines()
        assertTrue(drawn.any { "<html><b>bold</b>" in it }, "$drawn")
        assertTrue(drawn.any { "two" in it && "lines" in it })
        assertTrue(drawn.none { line -> line.any { it.isISOControl() || it == '\u202e' } }, "$drawn")
        val tooltip = onEdt {
            val renderer = ide.panel.tree.cellRenderer
            val row = look.row(arrayOf("model", "<html><b>bold</b>"))!!
            (renderer.getTreeCellRendererComponent(ide.panel.tree, row, false, false, true, 0, false) as JComponent)
                .toolTipText
        }
        assertTrue("&lt;b&gt;bold" in tooltip, tooltip)
        look.statistics("model", "<html><b>bold</b>", words = "<html><b>bold</b>")
        assertEquals("0", session.ask("Hostile.calls"))
        assertTrue(last.id != model.id)
        look.paint("hostile-${debugger.name.lowercase()}")
        session.runsOut()
    }

    @ParameterizedTest
    @EnumSource
    internal fun `an empty tree says why it is empty`(debugger: Debugger) {
        look.saysInstead("Stop a PyTorch program")
        val session = debugger.begin(ide, "empty")
        session.isAtGate()
        look.saysInstead("The program runs.")
        session.openGate()
        session.stopsAt("without torch")
        look.saysInstead("has not imported torch")
        session.resume()
        session.stopsAt("nothing")
        look.saysInstead("holds no model, optimizer or tensor")
        session.runsOut()
        look.saysInstead("Stop a PyTorch program")
    }
}
