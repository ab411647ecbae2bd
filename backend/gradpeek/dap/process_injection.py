"""Brings debugpy into a process that runs already."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import sys
from pathlib import Path

from gradpeek.dap.interpreter import OWN_DEBUGPY, Interpreter, inspect_interpreter
from gradpeek.errors import DebuggerError

_INJECT_TIMEOUT_S = 30.0
_SHOWN_LINES = 3
_PTRACE_SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")


async def inject(process_id: int, host: str, port: int) -> None:
    """Make the Python process `process_id` connect its debugger to `host`:`port`.

    Raises:
        DebuggerError: there is no such process, or the system does not let us in.
    """
    try:
        os.kill(process_id, 0)
    except ProcessLookupError as error:
        raise DebuggerError(f"There is no process {process_id}. Check --pid.") from error
    except PermissionError:
        pass  # another user's: whether we may trace it is for the system to say
    if sys.platform == "linux" and shutil.which("gdb") is None:
        raise DebuggerError("Attaching to a process needs gdb, which is not on PATH. Install gdb.")
    python, debugpy = _debugpy_for(process_id)
    injector = await asyncio.create_subprocess_exec(
        python,
        debugpy,
        "--connect",
        f"{host}:{port}",
        "--pid",
        str(process_id),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = await asyncio.wait_for(injector.communicate(), _INJECT_TIMEOUT_S)
    except asyncio.TimeoutError as error:
        raise DebuggerError(
            f"The debugger did not get into process {process_id} within {_INJECT_TIMEOUT_S:g} s. "
            "Is the process stopped, or not Python?"
        ) from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            _kill_group(injector)
        await injector.wait()
    text = output.decode(errors="backslashreplace")
    results = re.findall(r"^\$\d+ = (-?\d+)$", text, re.MULTILINE)  # gdb: what DoAttach returned
    if injector.returncode != 0 or (results and results[-1] != "0"):
        raise DebuggerError(_why(process_id, text))


def _kill_group(injector: asyncio.subprocess.Process) -> None:
    """Kill the injector and the gdb that it started."""
    if sys.platform == "win32":
        injector.kill()
    else:
        os.killpg(injector.pid, signal.SIGKILL)


def _debugpy_for(process_id: int) -> tuple[str, str]:
    """Return an interpreter and the debugpy that fit the process."""
    executable = Path(f"/proc/{process_id}/exe")
    try:
        started_as = Path(f"/proc/{process_id}/cmdline").read_bytes().split(b"\0")[0].decode()
        path = started_as if Path(started_as).is_absolute() else str(executable.readlink())
        target: Interpreter = inspect_interpreter(path, f"process {process_id}")
    except (OSError, ValueError, DebuggerError):
        return sys.executable, OWN_DEBUGPY  # not Linux, or hidden from us: ours is the best guess
    if target.debugpy == OWN_DEBUGPY:
        return sys.executable, OWN_DEBUGPY
    return target.path, target.debugpy


def _why(process_id: int, output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [
        line for line in lines if "ptrace" in line.lower() or "not permitted" in line.lower()
    ]
    said = " | ".join((telling or lines)[-_SHOWN_LINES:]) or "it said nothing"
    advice = "Is it a Python process?"
    if telling:
        advice = "Attach as its user or as root."
        with contextlib.suppress(OSError):
            if _PTRACE_SCOPE.read_text().strip() != "0":
                advice += f" {_PTRACE_SCOPE} is not 0: only a parent may trace a process."
    return f"The debugger could not get into process {process_id}: {said.rstrip('.')}. {advice}"
