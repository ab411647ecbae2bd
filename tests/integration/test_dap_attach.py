"""Attaching: to a port, to a process; children; pauses; and what leaving does to the program."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import time
from pathlib import Path

import pytest

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.debuggee import Debuggee
from gradpeek.dap.start import attach, attach_process, launch
from gradpeek.errors import AdapterError, ConnectionLostError, DebuggerError
from support.dap_programs import Script, free_port, run, running, skip_or_fail

BUSY = """
import multiprocessing, sys, threading

class Flag:
    is_up = False

def child() -> None:
    print("child", flush=True)

def work() -> None:
    print("ready", flush=True)
    while not Flag.is_up:
        x = 1

if __name__ == "__main__":
    work()
    for method in "fork", "spawn":
        process = multiprocessing.get_context(method).Process(target=child)
        process.start()
        process.join()
        assert process.exitcode == 0, method
    print("end", flush=True)
"""


async def attach_when_up(port: int, places: list[Breakpoint]) -> Debuggee:
    """Attach as soon as the port answers; a mere connection would make debugpy's adapter end."""
    while True:
        with contextlib.suppress(ConnectionLostError):
            return await attach("127.0.0.1", port, places)
        await asyncio.sleep(0.02)


async def pause_and_let_end(debuggee: Debuggee) -> None:
    stop = await debuggee.pause()
    assert stop is not None
    assert stop.thread_name == "MainThread"
    assert stop.frames[0].name == "work"
    expression = "setattr(Flag, 'is_up', True) or x"
    assert await stop.session.evaluate(expression, stop.frames[0].id) == "1"


def test_attach_by_port_and_leave_the_program_running(tmp_path: Path) -> None:
    script = Script(tmp_path, BUSY.replace('"fork", "spawn"', "()"))  # debugpy's adapter, not ours
    port = free_port()

    async def main() -> None:
        command = [sys.executable, "-m", "debugpy", "--listen", f"127.0.0.1:{port}"]
        async with running(*command, str(script.path)) as process:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
            async with await attach("127.0.0.1", port) as debuggee:
                with pytest.raises(AdapterError, match="already being debugged"):
                    await attach("127.0.0.1", port)
                await pause_and_let_end(debuggee)
            assert await process.stdout.read() == b"end\n"
            assert await process.wait() == 0
            assert debuggee.exit_code is None

    run(main())


def test_attach_to_a_program_that_waits_for_a_client(tmp_path: Path) -> None:
    script = Script(tmp_path, "x = 1\nprint(x)  # @bp\n")
    port = free_port()

    async def main() -> None:
        command = [sys.executable, "-m", "debugpy", "--listen", f"127.0.0.1:{port}"]
        async with running(*command, "--wait-for-client", str(script.path)) as process:
            async with await attach_when_up(port, [script.breakpoint_at()]) as debuggee:
                stop = await debuggee.next_stop()
                assert stop is not None
                assert await stop.session.evaluate("x", stop.frames[0].id) == "1"
                await debuggee.resume(stop)
                assert await debuggee.next_stop() is None
            assert await process.wait() == 0

    run(main())


@pytest.mark.parametrize("times", [1, 2])
def test_attach_to_a_process_and_leave_it_running(tmp_path: Path, times: int) -> None:
    if shutil.which("gdb") is None:
        skip_or_fail("attaching to a process needs gdb, which is not installed")
    script = Script(tmp_path, BUSY)

    async def main() -> None:
        async with running(sys.executable, str(script.path)) as process:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
            for _ in range(times - 1):
                async with await attach_process(process.pid) as debuggee:
                    assert await debuggee.pause() is not None
                    with pytest.raises(DebuggerError, match="already being debugged"):
                        await attach_process(process.pid)
            async with await attach_process(process.pid) as debuggee:
                assert debuggee.root.process_id == process.pid
                await pause_and_let_end(debuggee)
            assert await process.stdout.read() == b"child\nchild\nend\n"
            assert await process.wait() == 0

    run(main())


def test_a_process_that_is_not_there_or_not_python_is_named(tmp_path: Path) -> None:
    async def main() -> None:
        async with running("sleep", "30") as process:
            with pytest.raises(DebuggerError, match="Is it a Python process"):
                await attach_process(process.pid)
        with pytest.raises(DebuggerError, match=f"no process {process.pid}"):
            await attach_process(process.pid)

    if shutil.which("gdb") is None:
        skip_or_fail("attaching to a process needs gdb, which is not installed")
    run(main())


def test_no_gdb_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux needs gdb")
    monkeypatch.setattr(shutil, "which", lambda name: None)

    async def main() -> None:
        async with running("sleep", "30") as process:
            with pytest.raises(DebuggerError, match="needs gdb"):
                await attach_process(process.pid)

    run(main())


@pytest.mark.parametrize("method", ["fork", "spawn", "subprocess"])
def test_children_stop_at_the_same_breakpoints(tmp_path: Path, method: str) -> None:
    script = Script(
        tmp_path,
        f"""
        import multiprocessing, subprocess, sys

        def child(x) -> None:
            print(x)  # @bp

        if __name__ == "__main__":
            if "child" in sys.argv:
                child(41)
            elif "{method}" == "subprocess":
                subprocess.run([sys.executable, __file__, "child"], check=True)
            else:
                process = multiprocessing.get_context("{method}").Process(target=child, args=(41,))
                process.start()
                process.join()
                assert process.exitcode == 0
            x = 1  # @end
        """,
    )

    async def main() -> None:
        places = [script.breakpoint_at(), script.breakpoint_at("end")]
        async with await launch(script.program(), places) as debuggee:
            assert debuggee.process is not None
            pids = []
            while stop := await debuggee.next_stop():
                pids.append(stop.process_id)
                value = await stop.session.evaluate("x if 'x' in vars() else 0", stop.frames[0].id)
                assert value == ("41" if len(pids) == 1 else "0")
                await debuggee.resume(stop)
                if len(pids) == 2 and method != "subprocess":
                    break
            assert pids[0] != debuggee.process.pid
            assert pids[1] in (debuggee.process.pid, pids[0])
            assert await debuggee.next_stop() is None or method == "subprocess"
            assert debuggee.exit_code == 0

    run(main())


def test_a_pause_waits_for_a_native_call_and_says_so(tmp_path: Path) -> None:
    script = Script(tmp_path, "import time\nx = 1  # @bp\ntime.sleep(2.5)\ny = 2\n")
    told: list[float] = []

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            first = await debuggee.next_stop()
            assert first is not None
            await debuggee.step(first)
            second = await debuggee.next_stop()
            assert second is not None
            await debuggee.resume(second)
            stop = await debuggee.pause(lambda: told.append(time.monotonic()))
            assert stop is not None
            assert (stop.reason, stop.frames[0].line) == ("pause", 4)
            assert len(told) == 1
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None

    run(main())


def test_a_pause_shows_a_thread_with_user_code_where_the_main_thread_cannot_stop(
    tmp_path: Path,
) -> None:
    script = Script(
        tmp_path,
        """
        import sys, threading

        main = sys._getframe()
        waits_at = None
        done = threading.Lock()
        done.acquire()

        def work(stop):
            while main.f_lineno != waits_at:
                pass
            x = 1  # @bp
            while not stop.is_set():
                x = 5
            done.release()

        worker = threading.Thread(target=work, args=(threading.Event(),), name="worker")
        worker.start()
        waits_at = main.f_lineno + 1
        done.acquire()
        """,
    )

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            first = await debuggee.next_stop()
            assert first is not None
            await debuggee.resume(first)
            stop = await debuggee.pause()
            assert stop is not None
            assert (stop.thread_name, stop.frames[0].name) == ("worker", "work")
            assert await stop.session.evaluate("stop.set()", stop.frames[0].id) == "None"
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 0

    run(main())
