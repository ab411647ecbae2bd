package dev.gradpeek

import com.intellij.DynamicBundle
import org.jetbrains.annotations.PropertyKey

private const val BUNDLE = "messages.GradPeekBundle"

/** The texts that the plugin shows, in the language of the IDE. */
internal object GradPeekBundle {
    private val bundle = DynamicBundle(GradPeekBundle::class.java, BUNDLE)

    /** The text of that key, with the values in it. */
    fun message(@PropertyKey(resourceBundle = BUNDLE) key: String, vararg values: Any): String =
        bundle.getMessage(key, *values)

    /** The language of the IDE, as a tag like zh-CN. */
    val locale: String get() = DynamicBundle.getLocale().toLanguageTag()
}
