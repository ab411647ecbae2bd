"""Every error that the host raises, one class per thing that a caller handles."""

from __future__ import annotations

__all__ = [
    "AdapterError",
    "ConnectionLostError",
    "DebuggeeEndedError",
    "DebuggerError",
    "EvaluateError",
    "GradPeekError",
    "NoStopError",
    "ProbeError",
    "UsageError",
    "WireError",
]


class GradPeekError(Exception):
    """Base of all errors raised by GradPeek; its text is one line that says what to do next.

    Attributes:
        exit_status: exit status of the command line when this error ends it.
    """

    exit_status = 4


class NoStopError(GradPeekError):
    """The program ended, or cannot stop, before the first breakpoint was reached."""

    exit_status = 3


class UsageError(GradPeekError):
    """The user asked for something that is not there."""

    exit_status = 2


class DebuggerError(GradPeekError):
    """The debuggee or its debugger failed."""


class AdapterError(DebuggerError):
    """The debug adapter refused a request, or spoke something that is not DAP."""


class ConnectionLostError(DebuggerError):
    """Nothing listens at the address, or the connection to the debugger broke."""


class DebuggeeEndedError(DebuggerError):
    """The debuggee ended while a question to it was open."""


class EvaluateError(DebuggerError):
    """The debugger could not evaluate: the frame is stale, or the program runs again."""


class WireError(GradPeekError):
    """A message breaks the wire: unknown version, wrong length, or not what the schema says."""


class ProbeError(GradPeekError):
    """The probe answered with an error of its own.

    Attributes:
        code: one of the wire's error codes, e.g. "expression_failed".
        remote_type: type name of the exception in the debuggee, or None.
        remote_traceback: its traceback as text, or None.
        expression: the user's expression that raised it, or None.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        remote_type: str | None = None,
        remote_traceback: str | None = None,
        expression: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.remote_type = remote_type
        self.remote_traceback = remote_traceback
        self.expression = expression
