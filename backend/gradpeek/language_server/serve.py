"""Starts the language server."""

from __future__ import annotations

import gc
import logging
import sys

COLLECT_EVERY = 100_000
"""Objects made between two collections: a stop makes many small ones, in few cycles."""


def serve(port: int | None = None) -> None:
    """Serve one editor until it leaves: on stdio, or on a port of the loopback interface.

    Args:
        port: the port to listen on; None for stdio.
    """
    from gradpeek.language_server.server import create

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    server = create()
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)
    if port is None:
        server.start_io()
    else:
        server.start_tcp("127.0.0.1", port)
