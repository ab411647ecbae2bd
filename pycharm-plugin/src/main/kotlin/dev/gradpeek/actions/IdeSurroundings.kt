package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionManager
import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.openapi.actionSystem.ex.ActionUtil
import com.intellij.openapi.actionSystem.impl.SimpleDataContext
import com.intellij.openapi.diagnostic.Logger
import com.intellij.openapi.editor.Editor
import com.intellij.openapi.editor.EditorFactory
import com.intellij.openapi.fileEditor.FileDocumentManager
import com.intellij.openapi.fileEditor.FileEditorManager
import com.intellij.openapi.fileEditor.OpenFileDescriptor
import com.intellij.openapi.ide.CopyPasteManager
import com.intellij.openapi.project.Project
import com.intellij.openapi.ui.Messages
import com.intellij.openapi.vfs.LocalFileSystem
import com.intellij.xdebugger.XDebugSession
import com.intellij.xdebugger.XDebuggerManager
import dev.gradpeek.GradPeekBundle
import java.awt.datatransfer.StringSelection
import java.nio.file.InvalidPathException
import java.nio.file.Path
import java.util.concurrent.Executor

private const val ADD_TO_WATCHES = "Debugger.AddToWatch"
private const val PLACE = "GradPeek"

/**
 * The IDE around the tool window of a project.
 *
 * @param pool threads that may wait.
 * @param say shows a balloon.
 */
internal class IdeSurroundings(
    private val project: Project,
    private val pool: Executor,
    private val edt: Executor,
    private val say: (String) -> Unit,
) : Surroundings {
    /** What the editor in front has of Python, null where it shows something else; on the EDT. */
    fun code(): Code? {
        val editor = FileEditorManager.getInstance(project).selectedTextEditor ?: return null
        val file = FileDocumentManager.getInstance().getFile(editor.document)
        return if (isPython(file?.fileType)) Code.of(editor) else null
    }

    override fun copy(text: String) = CopyPasteManager.getInstance().setContents(StringSelection(text))

    /**
     * Has the IDE's own action add what is selected in an editor: Watches have no public interface of their
     * own. The editor is never in sight.
     */
    override fun watch(expression: String): Boolean {
        val action = ActionManager.getInstance().getAction(ADD_TO_WATCHES) ?: return false
        val session = XDebuggerManager.getInstance(project).currentSession ?: return false
        val factory = EditorFactory.getInstance()
        val editor = factory.createEditor(factory.createDocument(expression), project)
        // Later: the action may look once more when this event is over.
        edt.execute { factory.releaseEditor(editor) }
        return try {
            editor.selectionModel.setSelection(0, expression.length)
            var isDone = false
            ActionUtil.invokeAction(action, contextOf(editor, session), PLACE, null) { isDone = true }
            isDone
        } catch (error: LinkageError) {
            LOG.info("$ADD_TO_WATCHES cannot be invoked here", error)
            false
        }
    }

    private fun contextOf(editor: Editor, session: XDebugSession) = SimpleDataContext.builder()
        .add(CommonDataKeys.PROJECT, project)
        .add(CommonDataKeys.EDITOR, editor)
        .add(XDebugSession.DATA_KEY, session)
        .build()

    override fun open(file: String, line: Int) = pool.execute {
        val found = try {
            LocalFileSystem.getInstance().refreshAndFindFileByNioFile(Path.of(file))
        } catch (error: InvalidPathException) {
            LOG.debug(error)
            null
        }
        edt.execute {
            if (found == null) {
                inform(GradPeekBundle.message("source.missing", file))
            } else {
                OpenFileDescriptor(project, found, line - 1, 0).navigate(true)
            }
        }
    }

    override fun ask(offered: String): String? = Messages.showInputDialog(
        project,
        GradPeekBundle.message("show.question"),
        GradPeekBundle.message("show.title"),
        null,
        offered,
        null,
    )

    override fun inform(message: String) = say(message)

    private companion object {
        val LOG = Logger.getInstance(IdeSurroundings::class.java)
    }
}
