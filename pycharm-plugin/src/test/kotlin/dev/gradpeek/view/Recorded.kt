package dev.gradpeek.view

import com.google.gson.JsonArray
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import dev.gradpeek.protocol.Details
import dev.gradpeek.protocol.Node
import dev.gradpeek.protocol.Nodes
import dev.gradpeek.protocol.Status
import dev.gradpeek.protocol.Wire
import java.io.File

/** What the real server has said at a stop of an example: see `record_rows.py`. */
internal class Recorded(locale: String, stop: Int) {
    private val all = read(locale)[stop].asJsonObject

    /** The nodes by what is above them; the top is below null. */
    val tree: Map<String?, List<Node>> =
        mapOf<String?, List<Node>>(null to nodes(all.getAsJsonObject("roots"))) +
            all.getAsJsonObject("children").entrySet().associate { (id, below) -> id to nodes(below.asJsonObject) }

    val details: Map<String, Details> =
        all.getAsJsonObject("details").entrySet().associate { (id, it) -> id to Wire.decode(it, Details::class.java) }

    val status: Status = Wire.decode(all.getAsJsonObject("status"), Status::class.java)

    private fun nodes(answer: JsonObject) = Wire.decode(answer, Nodes::class.java).nodes

    private companion object {
        fun read(locale: String): JsonArray =
            File(System.getenv("GRADPEEK_TESTS"), "recordings/$locale.json").reader()
                .use(JsonParser::parseReader).asJsonArray
    }
}
