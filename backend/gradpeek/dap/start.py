"""Three ways to a debuggee: launch a program, attach to a port, attach to a process."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from typing import TYPE_CHECKING

from gradpeek.dap.adapter import AdapterProcess
from gradpeek.dap.debuggee import Debuggee
from gradpeek.dap.kept_adapters import forget_address, keep_address, kept_address
from gradpeek.dap.process_injection import inject
from gradpeek.dap.transport import CONNECT_TIMEOUT_S, connect
from gradpeek.errors import ConnectionLostError, DebuggeeEndedError, DebuggerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from gradpeek.dap.breakpoints import Breakpoint
    from gradpeek.dap.interpreter import Interpreter
    from gradpeek.dap.transport import Message


@dataclasses.dataclass(frozen=True)
class Program:
    """What to launch.

    Attributes:
        interpreter: the Python that runs it.
        target: path of a script, or name of a module.
        arguments: its own arguments.
        is_module: whether `target` is a module, as for `python -m`.
        working_directory: where it runs; ours by default.
        environ: its environment; ours by default.
    """

    interpreter: Interpreter
    target: str
    arguments: Sequence[str] = ()
    is_module: bool = False
    working_directory: str | None = None
    environ: Mapping[str, str] | None = None


async def launch(
    program: Program, breakpoints: Iterable[Breakpoint] = (), *, stop_at_uncaught: bool = False
) -> Debuggee:
    """Start a program under the debugger, with our own stdin, stdout and stderr.

    Raises:
        DebuggerError: its interpreter does not run, or has no debugpy.
        AdapterError: the adapter does not start, or refuses.
    """
    target = ["-m", program.target] if program.is_module else [program.target]
    command = [program.interpreter.path, program.interpreter.debugpy]
    environ = dict(os.environ if program.environ is None else program.environ)
    environ.pop("DEBUGPY_RUNNING", None)  # set where we are debugged; debugpy would not connect
    # pydevd warns on the program's stderr that the standard library is frozen.
    environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

    async def spawn(debuggee: Debuggee, host: str, port: int) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                "--connect",
                f"{host}:{port}",
                "--wait-for-client",
                *target,
                *program.arguments,
                cwd=program.working_directory,
                env=environ,
            )
        except OSError as error:
            raise DebuggerError(f"Cannot run {command[0]}: {error}. Check --python.") from error
        debuggee.watch_exit(process)

    return await _start_with_adapter(breakpoints, stop_at_uncaught, spawn)


async def attach_process(
    process_id: int, breakpoints: Iterable[Breakpoint] = (), *, stop_at_uncaught: bool = False
) -> Debuggee:
    """Bring a debugger into a running process, and attach to it.

    Raises:
        DebuggerError: there is no such process, or the system does not let us in.
        AdapterError: the adapter does not start, or refuses.
    """
    places = tuple(breakpoints)
    if (address := kept_address(process_id)) is not None:
        try:
            return await attach(
                *address, places, stop_at_uncaught=stop_at_uncaught, process_id=process_id
            )
        except (ConnectionLostError, DebuggeeEndedError):
            forget_address(process_id)  # the adapter of an earlier process with this id

    async def bring(debuggee: Debuggee, host: str, port: int) -> None:
        # Not awaited: the injected debugger holds the process, and the injector with it, until we
        # have sent configurationDone.
        debuggee.watch_injection(asyncio.create_task(inject(process_id, host, port)))

    debuggee = await _start_with_adapter(places, stop_at_uncaught, bring)
    if debuggee.adapter is not None:
        keep_address(process_id, debuggee.adapter.host, debuggee.adapter.port)
    return debuggee


async def attach(
    host: str,
    port: int,
    breakpoints: Iterable[Breakpoint] = (),
    *,
    stop_at_uncaught: bool = False,
    process_id: int | None = None,
) -> Debuggee:
    """Attach to a program whose debugpy listens at `host`:`port`.

    Args:
        host: name or address of its host.
        port: its port.
        breakpoints: where to stop.
        stop_at_uncaught: whether to stop where an exception ends a thread.
        process_id: the process that it has to be, or None for any.

    Raises:
        ConnectionLostError: nobody answers there.
        AdapterError: it is being debugged already, or what answers is not a debug adapter.
        DebuggeeEndedError: it has ended, or is not `process_id`.
    """
    debuggee = Debuggee(breakpoints, stop_at_uncaught=stop_at_uncaught)
    transport = await connect(host, port, CONNECT_TIMEOUT_S)
    debuggee.add_root(transport)
    address: Message = {"connect": {"host": host, "port": port}}
    if process_id is not None:
        address["subProcessId"] = process_id
    await _start(debuggee, address, None)
    return debuggee


async def _start_with_adapter(
    breakpoints: Iterable[Breakpoint],
    stop_at_uncaught: bool,  # noqa: FBT001
    bring: Callable[[Debuggee, str, int], Awaitable[None]],
) -> Debuggee:
    adapter = await AdapterProcess.start()
    debuggee = Debuggee(breakpoints, stop_at_uncaught=stop_at_uncaught, adapter=adapter)
    try:
        transport = await connect(adapter.host, adapter.port, CONNECT_TIMEOUT_S)
    except BaseException:
        await adapter.close(kill=True)
        raise
    debuggee.add_root(transport)
    await _start(
        debuggee,
        {"listen": {"host": "127.0.0.1", "port": 0}},
        lambda host, port: bring(debuggee, host, port),
    )
    return debuggee


async def _start(
    debuggee: Debuggee,
    address: Message,
    bring_server: Callable[[str, int], Awaitable[None]] | None,
) -> None:
    try:
        await debuggee.start(address, bring_server)
    except BaseException as error:
        is_over = isinstance(error, DebuggeeEndedError) and debuggee.root.is_ready
        if is_over and debuggee.process is not None:
            return  # a program that ends before its first line: no stop, but an exit status
        await debuggee.close(kill=debuggee.process is not None)
        raise
