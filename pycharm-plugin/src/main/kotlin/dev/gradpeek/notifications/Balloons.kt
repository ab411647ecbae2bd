package dev.gradpeek.notifications

import com.intellij.notification.Notification
import com.intellij.notification.NotificationAction
import com.intellij.notification.NotificationGroupManager
import com.intellij.notification.NotificationType
import com.intellij.openapi.project.Project
import dev.gradpeek.GradPeekBundle
import dev.gradpeek.UntrustedProjectError
import dev.gradpeek.server.ServerUnavailableError

/** A link in a balloon: its text, and what it does. */
internal class Link(val text: String, val act: () -> Unit)

/** What a balloon says; the content is HTML. */
internal class Balloon(val title: String, val content: String, val type: NotificationType, val links: List<Link>)

/** What the links of a balloon about the server do. */
internal interface Remedies {
    fun openSettings()

    fun openLog()

    /** Starts the server again. */
    fun refresh()
}

/** Says why the server does not run, and what can be done. */
internal fun balloonOf(error: ServerUnavailableError, remedies: Remedies): Balloon {
    val settings = Link(GradPeekBundle.message("failed.settings"), remedies::openSettings)
    val log = Link(GradPeekBundle.message("failed.log"), remedies::openLog)
    val again = Link(GradPeekBundle.message("failed.again"), remedies::refresh)
    // No other interpreter makes a project trusted.
    val links = if (error is UntrustedProjectError) listOf(again) else listOf(settings, log, again)
    return Balloon(
        GradPeekBundle.message("server.failed.title"),
        escaped(error.message.orEmpty()),
        NotificationType.WARNING,
        links,
    )
}

/** Shows balloons in a project. */
internal class Balloons(private val project: Project) {
    fun show(balloon: Balloon) {
        val notification: Notification = NotificationGroupManager.getInstance()
            .getNotificationGroup("GradPeek")
            .createNotification(balloon.title, balloon.content, balloon.type)
        for (link in balloon.links) {
            notification.addAction(NotificationAction.createSimpleExpiring(link.text, link.act))
        }
        notification.notify(project)
    }

    /** Says something in one line. */
    fun inform(message: String) =
        show(Balloon(title = "", escaped(message), NotificationType.INFORMATION, links = emptyList()))
}

/** The text as it is: notifications are HTML. */
internal fun escaped(text: String) = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
