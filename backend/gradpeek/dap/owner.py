"""Whom a debug session tells what happens to its process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gradpeek.dap.session import Session
    from gradpeek.dap.stop import Stop
    from gradpeek.dap.transport import Message


class Owner(Protocol):
    """Takes what a session tells; must not block."""

    def on_stop(self, stop: Stop) -> None:
        """The process stopped."""

    def on_child(self, configuration: Message) -> None:
        """The process started a child that waits for a session with this configuration."""

    def on_ended(self, session: Session) -> None:
        """No more will come from the session; `session.failure` says why if it broke."""
