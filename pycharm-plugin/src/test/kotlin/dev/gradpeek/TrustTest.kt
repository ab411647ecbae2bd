package dev.gradpeek

import dev.gradpeek.support.projectWith
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.io.File
import java.net.URLClassLoader
import javax.tools.ToolProvider

/** The IDE's classes are made here, as versions of it differ in which there are. */
class TrustTest {
    private val project = projectWith(session = null)

    @ParameterizedTest
    @CsvSource(
        nullValues = ["-"],
        value = [
            "-, -, false", "-, true, true", "-, false, false",
            "true, -, true", "true, false, true", "false, true, false",
        ],
    )
    fun `a project is trusted where the newest question that the IDE knows says so`(
        newer: String?,
        older: String?,
        isTrusted: Boolean,
    ) {
        val folder = File.createTempFile("gradpeek", "").apply { delete() }
        try {
            newer?.let { folder.compile("com.intellij.ide.trustedProjects", "isProjectTrusted", it) }
            older?.let { folder.compile("com.intellij.ide.impl", "isTrusted", it) }
            folder.mkdirs()
            URLClassLoader(arrayOf(folder.toURI().toURL()), javaClass.classLoader).use {
                assertEquals(isTrusted, isTrusted(project, it))
            }
        } finally {
            folder.deleteRecursively()
        }
    }

    private fun File.compile(folder: String, question: String, answer: String) {
        val source = resolve("$question/TrustedProjects.java").apply { parentFile.mkdirs() }
        source.writeText(
            """
            package $folder;
            public class TrustedProjects {
              public static boolean $question(com.intellij.openapi.project.Project project) { return $answer; }
            }
            """,
        )
        val path = System.getProperty("java.class.path")
        val status = ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-nowarn", "-proc:none", "-classpath", path, "-d", this.path, source.path)
        assertEquals(0, status)
    }
}
