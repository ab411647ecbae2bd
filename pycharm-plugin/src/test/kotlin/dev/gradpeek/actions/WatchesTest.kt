package dev.gradpeek.actions

import com.intellij.openapi.actionSystem.ActionGroup
import com.intellij.openapi.actionSystem.ActionManager
import com.intellij.openapi.actionSystem.AnAction
import com.intellij.openapi.actionSystem.AnActionEvent
import com.intellij.openapi.actionSystem.CommonDataKeys
import com.intellij.openapi.editor.CaretModel
import com.intellij.openapi.editor.Document
import com.intellij.openapi.editor.Editor
import com.intellij.openapi.editor.EditorFactory
import com.intellij.openapi.editor.SelectionModel
import com.intellij.openapi.editor.impl.DocumentImpl
import com.intellij.openapi.project.Project
import com.intellij.xdebugger.XDebugSession
import dev.gradpeek.support.TestApplication
import dev.gradpeek.support.TestSession
import dev.gradpeek.support.projectWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/**
 * The way into the IDE's Watches. Assumes of the IDE's action what its source says: it adds the text that is
 * selected in the editor of its data context to the Watches of the session there.
 */
class WatchesTest {
    private val session = TestSession()
    private val watched = ArrayList<String>()
    private val open = ArrayList<Editor>()
    private val later = ArrayList<Runnable>()
    private var action: AnAction? = AddToWatches(isEnabled = true)
    private val ide = TestApplication(
        ActionManager::class.java to object : ActionManager() {
            override fun createActionToolbar(place: String, group: ActionGroup, horizontal: Boolean) = error("none")

            override fun getAction(actionId: String) = action.takeIf { actionId == "Debugger.AddToWatch" }
        },
        EditorFactory::class.java to object : EditorFactory() {
            override fun createDocument(text: CharSequence) = DocumentImpl(text)

            override fun createEditor(document: Document, project: Project?) = Hidden(document).also(open::add)

            override fun releaseEditor(editor: Editor) {
                open.remove(editor)
            }
        },
    )

    private inner class AddToWatches(private val isEnabled: Boolean) : AnAction() {
        override fun update(e: AnActionEvent) {
            e.presentation.isEnabled = isEnabled
        }

        override fun actionPerformed(e: AnActionEvent) {
            assertEquals(session, e.getData(XDebugSession.DATA_KEY))
            val editor = e.getData(CommonDataKeys.EDITOR)!!
            assertTrue(editor in open)
            watched.add(editor.selectionModel.selectedText!!)
        }
    }

    private class Hidden(private val text: Document) : Editor {
        private var selected: String? = null

        override fun getDocument() = text

        override fun getCaretModel() = object : CaretModel {}

        override fun getSelectionModel() = object : SelectionModel {
            override fun getSelectedText() = selected

            override fun setSelection(startOffset: Int, endOffset: Int) {
                selected = text.charsSequence.substring(startOffset, endOffset)
            }
        }
    }

    @AfterEach
    fun close() = ide.close()

    private fun watch(session: XDebugSession?) =
        IdeSurroundings(projectWith(session), pool = { it.run() }, edt = later::add) {}.watch("model.fc[0].weight")

    @Test
    fun `an expression is added by the IDE's own action, and nothing stays open`() {
        assertTrue(watch(session))
        assertEquals(listOf("model.fc[0].weight"), watched)
        later.forEach(Runnable::run)
        assertEquals(emptyList<Editor>(), open)
    }

    @Test
    fun `where the action is missing or not to be had now, or nothing is debugged, that is said`() {
        action = AddToWatches(isEnabled = false)
        assertFalse(watch(session))
        action = null
        assertFalse(watch(session))
        action = AddToWatches(isEnabled = true)
        assertFalse(watch(session = null))
        later.forEach(Runnable::run)
        assertEquals(emptyList<String>() to emptyList<Editor>(), watched to open)
    }
}
