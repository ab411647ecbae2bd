"""A debug adapter that speaks as real ones do, until it is asked for a value."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Message = dict[str, Any]
STOPPED: Message = {"reason": "pause", "threadId": 1}
_BODIES: dict[str, Message] = {
    "threads": {"threads": [{"id": 1, "name": "MainThread"}]},
    "stackTrace": {
        "stackFrames": [{"id": 1, "name": "train", "line": 3, "source": {"path": "/train.py"}}]
    },
}


class Conversation(socketserver.StreamRequestHandler):
    """One client's; `server.on_evaluate` and `server.bodies` tell how it misbehaves."""

    server: _Server

    def handle(self) -> None:
        """Answer until the client leaves."""
        with suppress(OSError):
            while (line := self.rfile.readline()).startswith(b"Content-Length:"):
                self.rfile.readline()
                self._take(json.loads(self.rfile.read(int(line.split()[1]))))

    def _take(self, request: Message) -> None:
        command = request["command"]
        if command == "attach":
            self.attach = request
            self.event("initialized", {})
        elif command == "evaluate":
            self.server.on_evaluate(self, request)
        else:
            self.answer(request, self.server.bodies.get(command, {}))
        if command == "configurationDone":
            self.answer(self.attach, {})
        elif command == "pause":
            self.event("stopped", self.server.bodies["stopped"])

    def answer(self, request: Message, body: Any, **more: Any) -> None:
        """Answer a request; it succeeds unless `more` says otherwise."""
        self.send(
            {
                "type": "response",
                "request_seq": request["seq"],
                "command": request["command"],
                "success": True,
                "body": body,
                **more,
            }
        )

    def event(self, name: str, body: Any) -> None:
        """Send an event."""
        self.send({"type": "event", "event": name, "body": body})

    def send(self, message: Any) -> None:
        """Send anything as the body of a message."""
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        self.wfile.write(data)
        self.wfile.flush()

    def hang_up(self) -> None:
        """Close the connection."""
        self.connection.shutdown(2)


Misbehaviour = Callable[[Conversation, Message], object]


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(
        self, on_evaluate: Misbehaviour, bodies: Message, conversation: type[Conversation]
    ) -> None:
        super().__init__(("127.0.0.1", 0), conversation)
        self.on_evaluate = on_evaluate
        self.bodies = bodies


@contextmanager
def fake_adapter(
    on_evaluate: Misbehaviour, *, conversation: type[Conversation] = Conversation, **bodies: Any
) -> Iterator[str]:
    """Serve on a port; `bodies` replace those of answers, or of the event `stopped`.

    Yields:
        HOST:PORT.
    """
    known = {**_BODIES, "stopped": STOPPED, **bodies}
    with _Server(on_evaluate, known, conversation) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
