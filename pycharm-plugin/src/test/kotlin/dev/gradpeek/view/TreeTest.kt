package dev.gradpeek.view

import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Style
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import javax.swing.SwingUtilities
import javax.swing.event.TreeModelEvent
import javax.swing.event.TreeModelListener

/** How the rows follow what the server says from stop to stop. */
@Timeout(60)
class TreeTest {
    private val fixture = PanelFixture()
    private val server = fixture.server

    private fun norm(value: String) = listOf(cell("∇ $value", Style.GRADIENT))

    private fun model(vararg layers: String, norm: String = "1"): Map<String?, List<Node>> = mapOf(
        null to listOf(node("m", "model", expandable = true, expanded = true)),
        "m" to layers.map { node(it, expandable = true) },
    ) + layers.associateWith { listOf(node("$it.w", "weight", cells = norm(norm))) }

    @AfterEach
    fun close() = fixture.close()

    private fun begin(tree: Map<String?, List<Node>>, vararg rows: String) {
        server.tree = tree
        fixture.show()
        fixture.untilRows(*rows)
    }

    @Test
    fun `rows unfold as the server wishes, once, and what is below others is asked for when they are unfolded`() {
        begin(model("conv1", "conv2"), "model", "  conv1", "  conv2")
        assertEquals(listOf("roots", "children m"), server.all)
        fixture.expand("conv1")
        fixture.untilRows("model", "  conv1", "    weight  ∇ 1", "  conv2")
        assertEquals("children conv1", server.all.last())

        val model = fixture.row("model")
        onEdt { fixture.tree.collapsePath(model.treePath) }
        fixture.stop(model("conv1", "conv2", norm = "2"))
        fixture.until("nobody asks anew") { server.all.count { it == "roots" } == 2 }
        fixture.untilRows("model")
    }

    @Test
    fun `at the next stop rows are the same ones, unfolded and selected as before, with new numbers`() {
        begin(model("conv1", "conv2"), "model", "  conv1", "  conv2")
        fixture.expand("conv2")
        fixture.untilRows("model", "  conv1", "  conv2", "    weight  ∇ 1")
        fixture.select("weight")
        val weight = fixture.row("weight")
        val told = ModelEvents(fixture)

        fixture.stop(model("conv1", "conv2", norm = "2"))
        fixture.untilRows("model", "  conv1", "  conv2", "    weight  ∇ 2")
        assertSame(weight, fixture.row("weight"))
        assertEquals("∇ 2", onEdt { fixture.panel.selected!!.cells.single().text })
        assertEquals(listOf("changed 1 below conv2"), told.all)
    }

    @Test
    fun `rows that come and go are told one by one, not as a new tree`() {
        begin(model("a", "b", "c"), "model", "  a", "  b", "  c")
        fixture.expand("c")
        fixture.untilRows("model", "  a", "  b", "  c", "    weight  ∇ 1")
        val told = ModelEvents(fixture)
        fixture.stop(model("a", "new", "c"))
        fixture.untilRows("model", "  a", "  new", "  c", "    weight  ∇ 1")
        assertEquals(listOf("removed 1 below m", "inserted 1 below m"), told.all)
    }

    @Test
    fun `rows in another order stay unfolded and selected`() {
        begin(model("a", "b", "c"), "model", "  a", "  b", "  c")
        fixture.expand("c")
        fixture.untilRows("model", "  a", "  b", "  c", "    weight  ∇ 1")
        fixture.select("weight")
        fixture.stop(model("c", "b", "new", "a"))
        fixture.untilRows("model", "  c", "    weight  ∇ 1", "  b", "  new", "  a")
        assertEquals("c.w", onEdt { fixture.panel.selected!!.id })
    }

    @Test
    fun `a row that moves below another one stays unfolded`() {
        begin(model("a", "b"), "model", "  a", "  b")
        fixture.expand("b")
        fixture.untilRows("model", "  a", "  b", "    weight  ∇ 1")
        val bucket = node("0..1", "[0 … 1]", expandable = true, expanded = true)
        val below = mapOf("m" to listOf(bucket), "0..1" to listOf(node("a"), node("b", expandable = true)))
        val moved = model("a", "b") + below
        fixture.stop(moved)
        fixture.untilRows("model", "  [0 … 1]", "    a", "    b", "      weight  ∇ 1")
    }

    @Test
    fun `a row that is gone for a while comes back as it was, unfolded and selected`() {
        begin(model("a"), "model", "  a")
        fixture.expand("a")
        fixture.untilRows("model", "  a", "    weight  ∇ 1")
        fixture.select("weight")
        fixture.stop(mapOf(null to listOf(node("x", "x"))))
        fixture.untilRows("x")
        assertNull(onEdt { fixture.panel.selected })
        fixture.stop(model("a"))
        fixture.untilRows("model", "  a", "    weight  ∇ 1")
        assertEquals("a.w", onEdt { fixture.panel.selected!!.id })

        fixture.stop(mapOf(null to listOf(node("x", "x"))))
        fixture.untilRows("x")
        fixture.select("x")
        fixture.stop(model("a") + mapOf(null to model("a").getValue(null) + node("x", "x")))
        fixture.untilRows("model", "  a", "    weight  ∇ 1", "x")
        assertEquals("x", onEdt { fixture.panel.selected!!.id })
    }

    @Test
    fun `a row that can no longer be unfolded loses what was below it`() {
        begin(model("a"), "model", "  a")
        fixture.expand("a")
        fixture.untilRows("model", "  a", "    weight  ∇ 1")
        fixture.stop(model("a") + mapOf("m" to listOf(node("a"))))
        fixture.untilRows("model", "  a")
        assertFalse(onEdt { fixture.row("a").allowsChildren })
    }

    @Test
    fun `an answer of an earlier stop is asked to be left, and does not count when it comes all the same`() {
        begin(model("old"), "model", "  old")
        server.holds = setOf("roots")
        fixture.stop(model("late"))
        val late = server.nextHeld()
        server.holds = emptySet()
        fixture.stop(model("new"))
        fixture.untilRows("model", "  new")
        assertTrue(late.answer.isCancelled)
        server.tree = model("late")
        late.answer()
        onEdt { }
        assertEquals(listOf("model", "  new"), fixture.lines())
    }

    @Test
    fun `where nodes are named, only what is above them is asked for`() {
        begin(model("a", "b"), "model", "  a", "  b")
        fixture.expand("a")
        fixture.expand("b")
        fixture.untilRows("model", "  a", "    weight  ∇ 1", "  b", "    weight  ∇ 1")
        val before = server.all.size
        server.tree = model("a", "b", norm = "2")
        fixture.changed("b.w", "nobody")
        fixture.untilRows("model", "  a", "    weight  ∇ 1", "  b", "    weight  ∇ 2")
        assertEquals(listOf("children b"), server.all.drop(before))
    }

    @Test
    fun `a burst of changes is asked for at most twice`() {
        begin(model("a"), "model", "  a")
        val before = server.all.count { it == "roots" }
        server.tree = model("b")
        onEdt { repeat(500) { fixture.panel.changed(Changed(null)) } }
        fixture.untilRows("model", "  b")
        fixture.stop(model("c"))
        fixture.untilRows("model", "  c")
        assertTrue(server.all.count { it == "roots" } - before <= 3, "${server.all}")
    }

    @Test
    fun `nothing is asked while nobody sees the panel, and once when it comes into sight`() {
        server.tree = model("a")
        repeat(3) { fixture.changed() }
        onEdt { }
        assertEquals(emptyList<String>(), server.all)
        assertFalse(fixture.panel.wantsRows)
        var told = 0
        onEdt { fixture.panel.onVisibility = { told++ } }
        fixture.show()
        fixture.untilRows("model", "  a")
        assertTrue(fixture.panel.wantsRows)
        fixture.hide()
        fixture.stop(model("b"))
        onEdt { }
        assertEquals(listOf("roots", "children m"), server.all)
        fixture.show()
        fixture.untilRows("model", "  b")
        assertEquals(3, onEdt { told })
    }

    @Test
    fun `a row is revealed though what is above it has never been asked for`() {
        begin(model("a", "b"), "model", "  a", "  b")
        onEdt { fixture.panel.reveal(server.path("b.w")) }
        fixture.until("it is not selected") { fixture.panel.selected?.id == "b.w" }
        assertEquals(listOf("model", "  a", "  b", "    weight  ∇ 1"), fixture.lines())
    }

    @Test
    fun `a row that is not there yet is revealed when the tree that has it is there`() {
        begin(model("a"), "model", "  a")
        server.tree = mapOf(null to listOf(node("p", "pinned", expandable = true), node("m", "model"))) +
            mapOf("p" to listOf(node("p.w", "weight")))
        fixture.changed()
        onEdt { fixture.panel.reveal(server.path("p")) }
        fixture.untilRows("pinned", "  weight", "model")
        assertEquals("p", onEdt { fixture.panel.selected!!.id })
    }

    @ParameterizedTest
    @ValueSource(strings = ["m", "a", ""])
    fun `a row is revealed though rows above it change on the way`(changed: String) {
        begin(model("a"), "model", "  a")
        server.holds = setOf("children")
        onEdt { fixture.panel.reveal(server.path("a.w")) }
        val left = server.nextHeld()
        server.holds = emptySet()
        if (changed.isEmpty()) fixture.changed() else fixture.changed(changed)
        fixture.until("what was asked is not left") { left.answer.isCancelled }
        fixture.until("it is not selected") { fixture.panel.selected?.id == "a.w" }
    }

    @Test
    fun `of the way to a row that has gone, what is still there is selected`() {
        begin(model("a"), "model", "  a")
        onEdt { fixture.panel.reveal(server.path("a") + node("gone")) }
        fixture.until("nothing is selected") { fixture.panel.selected?.id == "a" }
    }

    @Test
    fun `rows in sight stay where they are when others come above them`() {
        val layers = (0 until 200).map { "layer$it" }
        begin(model(*layers.toTypedArray()), "model", *layers.map { "  $it" }.toTypedArray())
        val row = fixture.row("layer100")
        onEdt {
            fixture.tree.scrollRectToVisible(fixture.tree.getPathBounds(row.treePath)!!.apply { height = 2000 })
        }
        val before = onEdt { fixture.tree.getPathBounds(row.treePath)!!.y - fixture.tree.visibleRect.y }
        val more = (0 until 30).map { "new$it" } + layers
        fixture.stop(model(*more.toTypedArray()))
        fixture.until("they are not there") { fixture.tree.rowCount == more.size + 1 }
        assertEquals(before, onEdt { fixture.tree.getPathBounds(row.treePath)!!.y - fixture.tree.visibleRect.y })
    }

    @Test
    fun `questions are asked on the EDT and not waited for, and their answers come there`() {
        server.holds = setOf("roots", "children", "details")
        server.tree = model("a")
        fixture.show()
        val roots = server.nextHeld()
        assertEquals("works", onEdt { "works" })
        roots.answer()
        val children = server.nextHeld()
        SwingUtilities.invokeAndWait { fixture.tree.selectionPath = fixture.row("model").treePath }
        assertEquals("details m", server.nextHeld().what)
        children.answer()
        fixture.untilRows("model", "  a")
    }
}

/** What a model tells of its rows, and asserts that it does so on the EDT. */
internal class ModelEvents(fixture: PanelFixture) : TreeModelListener {
    private val seen = ArrayList<String>()

    val all: List<String> get() = onEdt { seen.toList() }

    init {
        onEdt { fixture.tree.model.addTreeModelListener(this) }
    }

    private fun add(what: String, event: TreeModelEvent) {
        check(SwingUtilities.isEventDispatchThread())
        seen.add("$what ${event.children?.size} below ${event.treePath.row.node?.id}")
    }

    override fun treeNodesChanged(event: TreeModelEvent) = add("changed", event)

    override fun treeNodesInserted(event: TreeModelEvent) = add("inserted", event)

    override fun treeNodesRemoved(event: TreeModelEvent) = add("removed", event)

    override fun treeStructureChanged(event: TreeModelEvent) = add("structure", event)
}
