package dev.gradpeek.support

import com.intellij.openapi.application.Application
import com.intellij.openapi.application.ApplicationManager
import com.intellij.openapi.project.Project
import com.intellij.openapi.util.Conditions
import java.awt.EventQueue
import java.lang.reflect.Method
import java.lang.reflect.Proxy

/** A project with those services; whatever else it is asked is an error. */
internal fun projectOf(vararg services: Pair<Class<*>, Any>): Project = proxy { method, arguments ->
    when (method.name) {
        "getService" -> checkNotNull(services.toMap()[arguments.single()]) { "no ${arguments.single()}" }
        "getDisposed" -> Conditions.alwaysFalse<Any>()
        else -> error("$method")
    }
}

/** The IDE with those services, and with Swing's EDT, until it is closed. */
internal class TestApplication(vararg services: Pair<Class<*>, Any>) : ApplicationManager(), AutoCloseable {
    init {
        val application: Application = proxy { method, arguments ->
            when (method.name) {
                "getService" -> services.toMap()[arguments.single()]
                "invokeLater" -> EventQueue.invokeLater(arguments.first() as Runnable)
                "isDispatchThread" -> EventQueue.isDispatchThread()
                else -> if (method.returnType == Boolean::class.javaPrimitiveType) false else null
            }
        }
        ourApplication = application
    }

    /** Other tests run without an application, as before. */
    override fun close() {
        ourApplication = null
    }
}

private inline fun <reified T : Any> proxy(crossinline answer: (Method, List<Any?>) -> Any?): T =
    Proxy.newProxyInstance(T::class.java.classLoader, arrayOf(T::class.java)) { _, method, arguments ->
        answer(method, arguments.orEmpty().toList())
    } as T
