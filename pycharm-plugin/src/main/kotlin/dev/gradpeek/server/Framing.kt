package dev.gradpeek.server

import java.io.EOFException
import java.io.IOException
import java.io.InputStream

/** The longest message that is read: a server that claims more is none of ours. */
private const val LONGEST_BYTES = 1 shl 28
private const val LONGEST_HEADER_BYTES = 4096
private const val LENGTH = "content-length:"

/**
 * Reads messages as the Language Server Protocol frames them.
 *
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol
 */
internal class MessageReader(private val input: InputStream) {
    /**
     * The next message, or null where the stream ends between two.
     *
     * @throws IOException where it ends inside one, or holds something else.
     */
    fun next(): String? {
        var length = -1
        while (true) {
            val line = line() ?: if (length < 0) return null else throw EOFException("The stream ends in a header.")
            if (line.isEmpty()) break
            if (line.lowercase().startsWith(LENGTH)) {
                length = line.substring(LENGTH.length).trim().toIntOrNull() ?: -1
            }
        }
        if (length !in 0..LONGEST_BYTES) throw IOException("A message has no length that can be read.")
        val body = input.readNBytes(length)
        if (body.size < length) throw EOFException("The stream ends in a message.")
        return body.decodeToString()
    }

    /** A line of a header without its end, or null where the stream ends before it. */
    private fun line(): String? {
        val text = StringBuilder()
        while (true) {
            val byte = input.read()
            if (byte < 0) return if (text.isEmpty()) null else throw EOFException("The stream ends in a header.")
            if (byte == '\n'.code) return text.removeSuffix("\r").toString()
            text.append(byte.toChar())
            if (text.length > LONGEST_HEADER_BYTES) throw IOException("A header has no end.")
        }
    }
}

/** The bytes of a message with its header. */
internal fun framed(message: String): ByteArray {
    val body = message.encodeToByteArray()
    return "Content-Length: ${body.size}\r\n\r\n".encodeToByteArray() + body
}
