package dev.gradpeek

import com.intellij.openapi.diagnostic.Logger
import com.intellij.openapi.project.Project
import dev.gradpeek.server.ServerUnavailableError

/** The user has not said that the project's files, and so its interpreter, can be trusted. */
internal class UntrustedProjectError : ServerUnavailableError(GradPeekBundle.message("server.untrusted"))

/**
 * What the IDE is asked whether a project is trusted, the newest first: the static methods' classes and
 * names. Which of them there is depends on the version of the IDE, and Kotlin sees one of them as a
 * function outside of any class; so they are looked up by name.
 */
private val QUESTIONS = listOf(
    "com.intellij.ide.trustedProjects.TrustedProjects" to "isProjectTrusted",
    "com.intellij.ide.impl.TrustedProjects" to "isTrusted",
)

/**
 * Whether the user trusts the project. An IDE that cannot be asked is one in which nothing is run.
 *
 * @param classes where the IDE's classes come from.
 */
internal fun isTrusted(project: Project, classes: ClassLoader = Project::class.java.classLoader): Boolean {
    for ((owner, name) in QUESTIONS) {
        try {
            val question = Class.forName(owner, true, classes).getMethod(name, Project::class.java)
            return question.invoke(null, project) as Boolean
        } catch (error: ReflectiveOperationException) {
            LOG.debug(error)
        }
    }
    LOG.warn("This IDE does not say whether a project is trusted: nothing is run in it.")
    return false
}

private val LOG = Logger.getInstance(UntrustedProjectError::class.java)
