package dev.gradpeek.view

import com.intellij.DynamicBundle
import dev.gradpeek.GradPeekBundle
import java.util.Locale
import java.util.ResourceBundle
import java.util.concurrent.ConcurrentHashMap

private const val BUNDLE = "messages.GradPeekBundle"

/**
 * Makes the plugin's texts those of a language from now on. In the IDE a service says which one it is when
 * the texts are first read; there is none here, so what would have been read is put in its place.
 */
internal fun speak(language: Locale) {
    val control = ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_DEFAULT)
    val loader = GradPeekBundle::class.java.classLoader
    val read = DynamicBundle::class.java.getDeclaredField("ourCache").apply { isAccessible = true }
    @Suppress("UNCHECKED_CAST")
    val bundles = read.get(null) as MutableMap<ClassLoader, MutableMap<String, ResourceBundle>>
    val texts = ResourceBundle.getBundle(BUNDLE, language, loader, control)
    bundles.getOrPut(loader) { ConcurrentHashMap() }[BUNDLE] = texts
}
