package dev.gradpeek.server

/** The common class of what can go wrong between the plugin and its server. */
open class ServerError(message: String, cause: Throwable? = null) : Exception(message, cause)

/** The server does not run; the message is one line for the user. */
open class ServerUnavailableError(message: String, cause: Throwable? = null) : ServerError(message, cause)

/** No Python can run the server; the user can choose one. */
class NoUsablePythonError(message: String) : ServerUnavailableError(message)

/** The connection ended before there was an answer. */
class ConnectionClosedError(message: String) : ServerError(message)

/** The other side refused a request; also thrown to refuse one of the server's. */
class RefusedError(message: String, val code: Int = INVALID_REQUEST) : ServerError(message) {
    companion object {
        const val INVALID_REQUEST = -32600
        const val METHOD_NOT_FOUND = -32601
        const val INVALID_PARAMS = -32602
        const val INTERNAL_ERROR = -32603
        const val REQUEST_CANCELLED = -32800
    }
}
