"""What the probe does to the debugger that carries its answers; nothing of the program's."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any


def answer_at_once() -> None:
    """Let pydevd's socket send without delay, where pydevd is the debugger.

    It sends an answer in two pieces, header and body. The system would hold the second back until
    the first is acknowledged, which takes 40 ms. The names are pydevd's own and may change: then
    answers are slow again.
    """
    modules: Any = sys.modules
    if "_pydevd_bundle.pydevd_constants" not in modules:
        return
    with suppress(Exception):
        debugger = modules["_pydevd_bundle.pydevd_constants"].get_global_debugger()
        tcp = modules["socket"]
        debugger.writer.sock.setsockopt(tcp.IPPROTO_TCP, tcp.TCP_NODELAY, 1)
