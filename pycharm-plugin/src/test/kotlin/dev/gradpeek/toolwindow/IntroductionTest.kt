package dev.gradpeek.toolwindow

import dev.gradpeek.settings.Settings
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class IntroductionTest {
    private val settings = Settings()
    private var opened = 0

    private fun introduction() = Introduction(settings) { opened++ }

    @Test
    fun `the tool window opens at the first stop of all, and never again by itself`() {
        repeat(2) {
            val introduction = introduction()
            introduction.stopped()
            introduction.stopped()
        }
        assertEquals(1, opened)
    }

    @Test
    fun `who has found it before the first stop is left alone`() {
        introduction().seen()
        introduction().stopped()
        assertEquals(0, opened)
    }
}
