package dev.gradpeek.e2e

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.security.MessageDigest
import java.util.HexFormat

/** A model of more than 20,000 rows, whose replies no debugger shows whole. */
class BigTest {
    private val ide = Ide().also { it.showPanel() }
    private val look = Looking(ide)

    @AfterEach
    fun close() = ide.close()

    @ParameterizedTest
    @EnumSource
    internal fun `replies that are cut arrive whole, and all rows can be scrolled to`(debugger: Debugger) {
        val begun = System.nanoTime()
        val session = debugger.begin(ide, "big")
        session.stopsAt("many")
        val stopped = System.nanoTime()
        look.at("model", words = "20k tensors")
        val shown = System.nanoTime()
        areCut(debugger, session.replies)
        isFound(group = 49, index = 399)

        unfoldAll()
        look.at("model", "end", "weight")
        val rows = onEdt { ide.panel.tree.rowCount }
        assertTrue(rows > 20_000, "$rows rows")
        onEdt { ide.panel.tree.scrollRowToVisible(rows - 1) }
        look.until("No numbers in the last row") { true.takeIf { Regex(" [\\d.]+$") in look.lastLine() } }
        look.at("model", "end", words = "‖∇‖ 1\\.73")
        look.paint("big-${debugger.name.lowercase()}")

        session.stepOver()
        session.nextStop()
        look.at("model", "end", words = "‖∇‖ 1\\.73")
        session.stepOver()
        session.nextStop()
        look.at("model", "end", words = "‖∇‖ 3")
        assertEquals(rows, onEdt { ide.panel.tree.rowCount }, "rows do not stay unfolded over a step")

        println(
            "$debugger: ${(stopped - begun) / 1_000_000} ms to the stop, " +
                "${(shown - stopped) / 1_000_000} ms to the first rows, $rows rows, " +
                "the longest event took ${ide.edt.longestMs} ms, the longest replies " +
                "${session.replies.map { (it.whole ?: it.shown).length }.sortedDescending().take(3)}",
        )
    }

    /** A row that was never loaded, among siblings that come in parts. */
    private fun isFound(group: Int, index: Int) {
        val hash = MessageDigest.getInstance("SHA-256").digest("($group, $index)".toByteArray())
        val name = "w_" + HexFormat.of().formatHex(hash).take(12)
        look.search(name)
        val found = look.until("$name is not selected") { ide.panel.selected?.takeIf { it.label == name } }
        assertEquals("model.group$group.$name", found.expression)
    }

    private fun unfoldAll() {
        val tree = ide.panel.tree
        look.at("model", words = "‖w‖ \\d")
        look.until("Not all rows are unfolded") {
            for (place in 0 until tree.rowCount) {
                val path = tree.getPathForRow(place) ?: break
                if (tree.isCollapsed(path) && !tree.model.isLeaf(path.lastPathComponent) && path.pathCount < 4) {
                    tree.expandPath(path)
                    tree.scrollPathToVisible(path)
                }
            }
            true.takeIf { tree.rowCount > 20_000 }
        }
    }

    /** What the debugger showed was less than what the probe had said, and was cut without a word. */
    private fun areCut(debugger: Debugger, replies: List<Reply>) {
        val envelope = Regex("GP1:(\\d+):([A-Za-z0-9+/=]*)")
        val cut = replies.mapNotNull { reply ->
            val found = envelope.find(reply.shown) ?: return@mapNotNull null
            reply.takeIf { found.groupValues[2].length < found.groupValues[1].toInt() }
        }
        when (debugger) {
            Debugger.PYDEVD -> {
                assertTrue(cut.all { it.shown.length == SHOWN_BY_PYDEVD && it.whole != null })
                assertTrue(cut.any { it.whole!!.length > SHOWN_BY_DEBUGPY })
            }
            Debugger.DEBUGPY -> assertTrue(cut.any { it.shown.length >= SHOWN_BY_DEBUGPY })
        }
    }
}
