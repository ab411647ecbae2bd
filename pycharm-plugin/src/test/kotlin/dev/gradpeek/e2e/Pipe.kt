package dev.gradpeek.e2e

import java.io.File
import java.io.RandomAccessFile

/** A named pipe for lines of nothing: one side waits for the other. */
internal class Pipe : AutoCloseable {
    val file: File = File.createTempFile("gradpeek-e2e", ".pipe").apply {
        delete()
        check(ProcessBuilder("mkfifo", path).start().waitFor() == 0)
    }

    // Held open, for both: what is written before anybody reads must not be lost.
    private val ends = RandomAccessFile(file, "rw")

    fun write() = ends.writeBytes("\n")

    /** Waits for a line. */
    fun read(): String = ends.readLine()

    override fun close() {
        ends.close()
        file.delete()
    }
}
