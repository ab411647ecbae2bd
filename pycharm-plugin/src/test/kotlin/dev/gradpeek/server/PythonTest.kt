package dev.gradpeek.server

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File

class PythonTest {
    @TempDir
    lateinit var folder: File

    private val told = ArrayList<Pair<Candidate, Verdict>>()
    private val real = System.getenv("GRADPEEK_PYTHON")

    private fun find(setting: String = "", project: String? = null) =
        findPython(Sources(setting, project, isWindows = false)) { candidate, verdict ->
            told.add(candidate to verdict)
        }

    private fun script(name: String, text: String) = File(folder, name).apply {
        writeText("#!/bin/sh\n$text\n")
        setExecutable(true)
    }.path

    @Test
    fun `the setting comes first`() {
        find(setting = real, project = "/no/such/python")
        assertEquals(listOf(Origin.SETTING), told.map { it.first.origin })
    }

    @Test
    fun `a setting that cannot be followed is said, never replaced`() {
        val error = assertThrows(NoPythonError::class.java) { find(setting = "/no/such/python", project = real) }
        assertEquals("/no/such/python", error.setting)
        assertEquals(1, told.size)
    }

    @Test
    fun `the project's interpreter comes before PATH`() {
        val found = find(project = real)
        assertEquals(listOf(Origin.PROJECT), told.map { it.first.origin })
        assertTrue(File(found.executable).canExecute(), found.executable)
    }

    @Test
    fun `an interpreter of the project that is too old gives way to PATH`() {
        find(project = script("old", "echo 3.9 /usr/bin/python3.9"))
        assertEquals(listOf(Origin.PROJECT, Origin.PATH), told.map { it.first.origin }.distinct())
        assertEquals(Verdict.Unfit("is Python 3.9; 3.10 or later is needed"), told.first().second)
    }

    @Test
    fun `Python 2 and what is no Python say so`() {
        val old = check(listOf(script("two", "echo 2.7 /two")))
        assertEquals(Verdict.Unfit("is Python 2.7; 3.10 or later is needed"), old)
        val broken = check(listOf(script("broken", "echo 'no module named encodings' >&2; exit 3")))
        assertEquals(
            Verdict.Unfit("is not a Python that starts (status 3): no module named encodings"),
            broken,
        )
        assertTrue(check(listOf("/no/such/python")) is Verdict.Unfit)
    }

    @Test
    fun `one that never answers is left, whatever it prints`() {
        val endless = script("endless", "exec yes")
        assertEquals(Verdict.Unfit("no answer within 0 s"), check(listOf(endless), timeoutMs = 300))
    }
}
