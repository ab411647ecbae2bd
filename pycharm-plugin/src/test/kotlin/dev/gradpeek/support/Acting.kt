package dev.gradpeek.support

import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.openapi.actionSystem.DataContext
import com.intellij.openapi.actionSystem.DataKey
import com.intellij.openapi.editor.CaretModel
import com.intellij.openapi.editor.Editor
import com.intellij.openapi.editor.SelectionModel
import com.intellij.openapi.editor.impl.DocumentImpl
import com.intellij.openapi.project.Project
import com.intellij.openapi.vfs.VirtualFile
import com.intellij.testFramework.LightVirtualFile
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebuggerManager
import dev.gradpeek.actions.Asked
import dev.gradpeek.actions.Code
import dev.gradpeek.actions.Commands
import dev.gradpeek.actions.RowCommands
import dev.gradpeek.actions.Showing
import dev.gradpeek.actions.Stage
import dev.gradpeek.actions.Surroundings
import dev.gradpeek.protocol.Action
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.NodeKind
import dev.gradpeek.protocol.Request
import dev.gradpeek.protocol.Tone
import dev.gradpeek.protocol.Wire
import dev.gradpeek.settings.ViewOptions
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/** A node as the server says it, with what can be done with it. */
internal fun node(id: String, vararg actions: Action, expression: String? = "model.$id") = Node(
    id,
    parent = null,
    NodeKind.MODULE,
    label = id,
    cells = emptyList(),
    Tone.NORMAL,
    stale = false,
    expandable = true,
    expanded = false,
    pinned = false,
    spoken = id,
    expression,
    actions.toList(),
)

/** Answers by a script, and keeps what was asked as `method params`; an answer that is an error refuses. */
internal class ScriptedServer : Asked {
    val asked = ArrayList<String>()
    val answers = HashMap<String, Any>()
    var retries = 0

    override fun <P : Any, R : Any> request(method: Request<P, R>, params: P): CompletableFuture<R> {
        asked.add("${method.method} ${Wire.encode(params)}")
        val answer = answers.getValue(method.method)
        return if (answer is Throwable) {
            CompletableFuture.failedFuture(answer)
        } else {
            CompletableFuture.completedFuture(method.result.cast(answer))
        }
    }

    override fun retry() {
        retries++
    }
}

/**
 * What commands do, in words, in order.
 *
 * @property canWatch whether the IDE adds to its Watches.
 * @property answer what the user answers when asked for an expression.
 */
internal class Deeds : Stage, Surroundings {
    val done = ArrayList<String>()
    var canWatch = true
    var answer: String? = null

    override fun open(then: () -> Unit) {
        done.add("open")
        then()
    }

    override fun reveal(path: List<Node>) {
        done.add("reveal ${path.joinToString("/") { it.id }}")
    }

    override fun say(message: String) {
        done.add("say $message")
    }

    override fun copy(text: String) {
        done.add("copy $text")
    }

    override fun watch(expression: String): Boolean {
        done.add("watch $expression")
        return canWatch
    }

    override fun open(file: String, line: Int) {
        done.add("open $file:$line")
    }

    override fun ask(offered: String): String? {
        done.add("ask $offered")
        return answer
    }

    override fun inform(message: String) {
        done.add("inform $message")
    }
}

/** The commands themselves, on a scripted server and with deeds that are only told. */
internal class TestCommands : Commands {
    val server = ScriptedServer()
    val deeds = Deeds()
    private val atOnce = Executor { it.run() }
    override val options = ViewOptions()
    override val showing = Showing(server, deeds, deeds, atOnce)
    override val rows = RowCommands(server, deeds, deeds, atOnce)
    override var selected: Node? = null
    var code: Code? = null

    override fun code() = code

    override fun select(session: XDebugSession) {
        deeds.done.add("select ${session.sessionName}")
    }

    override fun refresh() {
        deeds.done.add("refresh")
    }

    override fun search() {
        deeds.done.add("search")
    }

    override fun collapseAll() {
        deeds.done.add("collapse all")
    }

    override fun openSettings() {
        deeds.done.add("settings")
    }
}

/** A project whose current debug session is that one, or none. */
internal fun projectWith(session: XDebugSession?) = projectOf(
    XDebuggerManager::class.java to object : XDebuggerManager() {
        override fun getCurrentSession() = session
    },
)

/** An event in a project with what the data context says. */
internal fun event(project: Project?, vararg data: Pair<DataKey<*>, Any>): AnActionEvent {
    val known = data.associate { (key, value) -> key.name to value } + (CommonDataKeys.PROJECT.name to project)
    val context = DataContext(known::get)
    return AnActionEvent.createFromDataContext("test", null, context)
}

/** An editor with a text in which `[` and `]` stand around the selection, or `|` at the caret. */
internal fun editor(marked: String): Editor {
    val text = marked.replace(Regex("""[\[\]|]"""), "")
    val start = marked.indexOf('[')
    val selected = if (start < 0) null else text.substring(start, marked.indexOf(']') - 1)
    val caret = if (start < 0) marked.indexOf('|').coerceAtLeast(0) else start
    return object : Editor {
        override fun getDocument() = DocumentImpl(text)

        override fun getSelectionModel() = object : SelectionModel {
            override fun getSelectedText() = selected

            override fun setSelection(startOffset: Int, endOffset: Int) = error("nobody selects")
        }

        override fun getCaretModel() = object : CaretModel {
            override fun getOffset() = caret
        }
    }
}

/** A file that the IDE takes for one of that language, named as the sessions of tests name theirs. */
internal fun file(language: String): VirtualFile = object : LightVirtualFile("file") {
    override fun getFileType() = TestSession(language).debugProcess.editorsProvider.fileType
}
