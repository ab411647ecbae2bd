package dev.gradpeek.view

import com.google.gson.JsonElement
import com.intellij.openapi.Disposable
import com.intellij.ui.OnePixelSplitter
import com.intellij.ui.ScrollPaneFactory
import com.intellij.ui.treeStructure.Tree
import dev.gradpeek.GradPeekBundle.message
import dev.gradpeek.protocol.Changed
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Tone
import dev.gradpeek.protocol.ViewState
import dev.gradpeek.server.Answers
import dev.gradpeek.server.ServerUnavailableError
import java.awt.BorderLayout
import java.awt.event.ComponentAdapter
import java.awt.event.ComponentEvent
import java.awt.event.HierarchyEvent
import java.awt.event.KeyAdapter
import java.awt.event.KeyEvent
import javax.swing.BoxLayout
import javax.swing.JComponent
import javax.swing.JPanel
import javax.swing.SwingUtilities
import javax.swing.ToolTipManager
import javax.swing.tree.TreeSelectionModel

/** What the panel needs to know of the project's debug sessions; any thread may ask. */
internal interface Situation {
    /** How many debug sessions there are. */
    val sessions: Int

    /** Whether any of them has ever stopped, so that the server may know something. */
    val hasStopped: Boolean

    /** How many stops there have been, those of all sessions together; counted before the server hears of one. */
    val stops: Long

    /** Whether a new stop is looked at by itself, rather than when the user refreshes. */
    val isAutomatic: Boolean
}

/** What the links of the panel do; called on the EDT. */
internal interface Links {
    fun lookIntoCallers()

    fun showExpression()

    /** Starts the server again after a failure, calls the panel's `refresh`, and asks the server to refresh. */
    fun refresh()

    fun openLog()

    fun openSettings()

    /** Asks the server to leave the work of that token. */
    fun cancel(work: JsonElement)
}

/**
 * The tree of gradients with the statistics of the selected row, as it fills the tool window.
 *
 * It is a component: made and used on the EDT, but for what says otherwise. It waits for nobody.
 */
internal class GradientsPanel(answers: Answers, private val situation: Situation, private val links: Links) :
    JPanel(BorderLayout()), Disposable {
    private val rows = Rows()

    /** The tree itself, for menus and shortcuts. */
    val tree = Tree(rows.model)

    /** The node of the selected row. */
    val selected: Node? get() = tree.selectionPath?.row?.node

    /** Tells where `wantsRows` may have changed: the panel comes into sight or leaves it, or the user refreshes. */
    var onVisibility: () -> Unit = {}

    @Volatile
    private var isInSight = false

    /** The stop that the user has asked for, where stops are not looked at by themselves. */
    @Volatile
    private var askedFor = NONE

    /**
     * Whether the present stop is to be looked at: the panel is in sight, and stops are looked at by themselves
     * or the user has refreshed at this one. The option `visible` of the protocol; any thread may ask.
     *
     * It falls by itself with the next stop where stops are not looked at by themselves: the server has to hear
     * of that (`configure`) before it hears of the stop, else it looks.
     */
    val wantsRows: Boolean get() = isInSight && (situation.isAutomatic || situation.stops == askedFor)

    private var picture: Picture = Picture.Told(ViewState.NO_SESSION, null)
    private var said: Said? = null
    private val messages = MessageLine()
    private val works = ProgressLine(links::cancel)
    private val status = StatusLine()
    private val details = DetailsPane()
    private val statistics = Statistics(answers, details)
    private val feed = TreeFeed(answers, situation, tree, rows, FeedView())
    private val searching = Search(answers, tree, rows) { feed.reveal(it, unfolds = false) }
    private val buttons = JPanel(BorderLayout())
    private val scrolled = ScrollPaneFactory.createScrollPane(tree, true)
    private val splitter = OnePixelSplitter(true, "gradpeek.details.proportion", TREE_SHARE)
    private var isDisposed = false

    /** What was said, and of which stop. */
    private class Said(val text: String, val stops: Long, val picture: Picture)

    init {
        setUpTree()
        splitter.firstComponent = scrolled
        splitter.secondComponent = details.component
        add(column(buttons, searching.bar, messages), BorderLayout.NORTH)
        add(splitter, BorderLayout.CENTER)
        add(column(works, status), BorderLayout.SOUTH)
        addComponentListener(object : ComponentAdapter() {
            override fun componentResized(event: ComponentEvent) {
                splitter.orientation = height >= width
            }
        })
        scrolled.viewport.addChangeListener { feed.scrolled() }
        scrolled.viewport.addComponentListener(object : ComponentAdapter() {
            override fun componentResized(event: ComponentEvent) = writeEmptyText()
        })
        addHierarchyListener { event ->
            if (event.changeFlags and HierarchyEvent.SHOWING_CHANGED.toLong() != 0L) seen(isShowing)
        }
        draw()
    }

    private fun setUpTree() {
        tree.isRootVisible = false
        tree.showsRootHandles = true
        // All rows are equally high: none has to be measured to know where it is.
        tree.isLargeModel = true
        if (tree.rowHeight <= 0) tree.rowHeight = tree.getFontMetrics(tree.font).height + ROW_GAP
        tree.selectionModel.selectionMode = TreeSelectionModel.SINGLE_TREE_SELECTION
        tree.cellRenderer = RowRenderer(object : Drawn {
            override val words get() = searching.words
            override val isBehind get() = picture == Picture.Behind
        })
        tree.accessibleContext.accessibleName = message("view.name")
        ToolTipManager.sharedInstance().registerComponent(tree)
        tree.addTreeSelectionListener { selected?.let { statistics.select(it.id) } ?: statistics.select(null) }
        tree.addKeyListener(object : KeyAdapter() {
            override fun keyTyped(event: KeyEvent) {
                val isCommand = event.isControlDown || event.isMetaDown || event.isAltDown
                if (isCommand || event.keyChar.isISOControl() || event.keyChar.isWhitespace()) return
                event.consume()
                searching.open(event.keyChar.toString())
            }
        })
    }

    private fun column(vararg parts: JComponent) = JPanel().apply {
        layout = BoxLayout(this, BoxLayout.Y_AXIS)
        for (part in parts) add(part.also { it.alignmentX = LEFT_ALIGNMENT })
    }

    /** Where the buttons go that are above the tree. */
    fun setToolbar(buttons: JComponent) {
        this.buttons.removeAll()
        this.buttons.add(buttons, BorderLayout.CENTER)
        this.buttons.revalidate()
    }

    /** What the server says has changed, null for all, as where a debug session begins or ends; any thread. */
    fun changed(params: Changed) = onEdt { feed.changed(params.nodes) }

    /** One line about the selected session; any thread. */
    fun status(params: Status) = onEdt { status.show(params) }

    /** The params of a `$/progress` of the Language Server Protocol; any thread. */
    fun progress(params: JsonElement) = onEdt { works.take(params) }

    /** The server is gone or does not start; any thread. */
    fun failed(error: ServerUnavailableError) = onEdt {
        works.clear()
        status.show(Status(null, "", Tone.NORMAL))
        feed.fail(error.message.orEmpty())
    }

    /** Looks at the present stop, also where stops are not looked at by themselves. */
    fun refresh() {
        askedFor = situation.stops
        onVisibility()
        feed.changed(null)
    }

    /** Opens the way to the last node of a path from the top, and selects it. */
    fun reveal(path: List<Node>) {
        if (path.isEmpty()) return
        if (!wantsRows) refresh()
        feed.reveal(path, unfolds = true)
    }

    /** One line above the tree, until what is shown changes. */
    fun say(message: String) {
        said = Said(message, situation.stops, picture)
        draw()
    }

    /** Opens the search. */
    fun search() = searching.open("")

    override fun dispose() {
        isDisposed = true
        feed.leave()
        statistics.leave()
        searching.leave()
    }

    private fun seen(isNow: Boolean) {
        if (isNow == isInSight) return
        isInSight = isNow
        onVisibility()
        if (isNow) feed.cameIntoSight()
    }

    private fun draw() {
        val isEmpty = rows.root.childCount == 0
        if (said?.let { it.stops != situation.stops || it.picture != picture } == true) said = null
        val picture = picture
        val told = said?.text
        when {
            told != null -> messages.say(told)
            isEmpty -> messages.say(null)
            picture == Picture.Behind ->
                messages.say(message("view.behind"), Link(message("link.refresh"), links::refresh))
            picture == Picture.Starting -> messages.say(message("view.starting"))
            picture is Picture.Told -> messages.say(picture.message)
        }
        details.component.isVisible = !isEmpty
        writeEmptyText()
    }

    private fun writeEmptyText() {
        if (rows.root.childCount > 0) return
        write(teaching(picture, links), tree, scrolled.viewport.width - 2 * EMPTY_MARGIN)
    }

    private fun onEdt(act: () -> Unit) {
        val alive = { if (!isDisposed) act() }
        if (SwingUtilities.isEventDispatchThread()) alive() else SwingUtilities.invokeLater(alive)
    }

    private inner class FeedView : TreeFeed.View {
        override val isInSight get() = this@GradientsPanel.isInSight && !isDisposed
        override val wantsRows get() = this@GradientsPanel.wantsRows

        override fun show(picture: Picture) {
            val wasBehind = this@GradientsPanel.picture == Picture.Behind
            this@GradientsPanel.picture = picture
            draw()
            if (wasBehind != (picture == Picture.Behind)) tree.repaint()
        }

        override fun refreshed() {
            statistics.refresh()
            searching.refresh()
        }
    }

    private companion object {
        const val NONE = -1L
        const val TREE_SHARE = 0.62f
        const val ROW_GAP = 6
        const val EMPTY_MARGIN = 16
    }
}
