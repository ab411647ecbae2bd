package dev.gradpeek.actions

import com.intellij.openapi.editor.Editor
import com.intellij.openapi.fileTypes.FileType

/**
 * What is selected in an editor, and the line with the caret.
 *
 * @property column the caret's place in the line, in UTF-16 code units.
 */
internal data class Code(val selected: String, val line: String, val column: Int) {
    companion object {
        private val LINE_END = Regex("""\s*\r?\n\s*""")

        /** What an editor shows now; a selection of several lines is put on one. */
        fun of(editor: Editor): Code {
            val document = editor.document
            val offset = editor.caretModel.offset.coerceAtMost(document.textLength)
            // An empty document has no line that could be asked for.
            val number = if (document.lineCount == 0) null else document.getLineNumber(offset)
            val start = number?.let(document::getLineStartOffset) ?: 0
            val end = number?.let(document::getLineEndOffset) ?: 0
            return Code(
                // In brackets, where lines end is all the same to Python.
                selected = editor.selectionModel.selectedText.orEmpty().trim().replace(LINE_END, " "),
                line = document.charsSequence.subSequence(start, end).toString(),
                column = offset - start,
            )
        }
    }
}

/** Whether files of that type hold Python. */
internal fun isPython(type: FileType?) = type?.name == "Python"
