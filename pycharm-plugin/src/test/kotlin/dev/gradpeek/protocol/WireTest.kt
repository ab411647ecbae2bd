package dev.gradpeek.protocol

import com.google.gson.JsonParser
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File

class WireTest {
    @TestFactory
    fun `a valid example is read and written as it was`() = examples("valid") { type, text ->
        val json = JsonParser.parseString(text)
        assertEquals(json, Wire.encode(Wire.decode(json, type)))
    }

    @TestFactory
    fun `an invalid example is refused`() = examples("invalid") { type, text ->
        val error = assertThrows(WireError::class.java) { Wire.decode(JsonParser.parseString(text), type) }
        assertTrue(error.message!!.startsWith(type.simpleName), error.message)
    }

    @Test
    fun `what may be left out is, and what may be null is null`() {
        assertEquals("""{"query":"conv"}""", Wire.encode(SearchRequest("conv")).toString())
        assertEquals(
            """{"session":null,"expression":"model"}""",
            Wire.encode(ShowRequest(null, "model")).toString(),
        )
    }

    @Test
    fun `fields of a later version are passed over`() {
        val json = JsonParser.parseString("""{"text": "<b>", "colour": 7}""")
        assertEquals(Text("<b>"), Wire.decode(json, Text::class.java))
    }

    private fun examples(kind: String, check: (Class<out Any>, String) -> Unit): List<DynamicTest> {
        val files = File(System.getenv("GRADPEEK_EXAMPLES"), kind).listFiles().orEmpty().sorted()
        assertTrue(files.size > 10, "the examples are where they were")
        return files.map { file ->
            val type = Class.forName("dev.gradpeek.protocol.${file.name.substringBefore('.')}")
            dynamicTest(file.name) { check(type, file.readText()) }
        }
    }
}
