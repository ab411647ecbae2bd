"""Launching a program: its stdio, its breakpoints, its end."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from pathlib import Path

import pexpect
import pytest

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.start import launch
from gradpeek.errors import DebuggeeEndedError, DebuggerError, EvaluateError
from support.dap_programs import Script, run

DRIVER = """
import asyncio, sys
from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.interpreter import inspect_interpreter
from gradpeek.dap.start import Program, launch

async def main(path, line):
    program = Program(inspect_interpreter(sys.executable, "test"), path)
    places = [Breakpoint(path, int(line))] if int(line) else []
    async with await launch(program, places) as debuggee:
        while stop := await debuggee.next_stop():
            print("STOPPED at", stop.frames[0].line, flush=True)
            if "hold" in sys.argv:
                await asyncio.Event().wait()
            await debuggee.resume(stop)
        print("STATUS", debuggee.exit_code, flush=True)

asyncio.run(main(*sys.argv[1:3]))
"""


def drive(tmp_path: Path, script: Script, line: int, *extra: str) -> pexpect.spawn[str]:
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    arguments = [str(driver), str(script.path), str(line), *extra]
    return pexpect.spawn(sys.executable, arguments, encoding="utf-8", timeout=40)


def test_a_script_gets_its_arguments_and_stops_at_its_breakpoint(tmp_path: Path) -> None:
    script = Script(
        tmp_path,
        """
        import sys
        x = len(sys.argv)
        print(sys.argv)  # @bp
        sys.exit(7)
        """,
    )

    async def main() -> None:
        program = script.program("--flag", "-m", "a b")
        async with await launch(program, [script.breakpoint_at()]) as debuggee:
            assert [report.is_moved for report in debuggee.reports] == [False]
            stop = await debuggee.next_stop()
            assert stop is not None
            assert (stop.reason, stop.thread_name, stop.index) == ("breakpoint", "MainThread", 0)
            assert stop.process_id == debuggee.process.pid if debuggee.process else False
            assert stop.frames[0].path == str(script.path)
            assert stop.frames[0].line == script.line()
            value = await stop.session.evaluate("sys.argv[1:]", stop.frames[0].id)
            assert value == "['--flag', '-m', 'a b']"
            assert await stop.session.evaluate("1/0", stop.frames[0].id, "clipboard")
            with pytest.raises(EvaluateError, match="ZeroDivisionError"):
                await stop.session.evaluate("1/0", stop.frames[0].id, "repl")
            await debuggee.resume(stop)
            assert not stop.is_current
            with pytest.raises((EvaluateError, DebuggeeEndedError)):
                await stop.session.evaluate("x", stop.frames[0].id)
            assert await debuggee.next_stop() is None
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 7

    run(main())


def test_a_module_runs_as_with_python_dash_m(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").touch()
    script = Script(package, "import sys\nprint(sys.argv)  # @bp\n", "__main__.py")

    async def main() -> None:
        program = dataclasses.replace(
            script.program("one"), target="pack", is_module=True, working_directory=str(tmp_path)
        )
        async with await launch(program, [script.breakpoint_at()]) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            assert await stop.session.evaluate("__name__", stop.frames[0].id) == "'__main__'"
            assert await stop.session.evaluate("sys.argv[1]", stop.frames[0].id) == "'one'"
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 0

    run(main())


def test_the_terminal_stays_the_program_s(tmp_path: Path) -> None:
    script = Script(
        tmp_path,
        """
        import sys
        print("tty:", sys.stdin.isatty(), sys.stdout.isatty(), sys.stderr.isatty())
        name = input("name? ")
        print("hello", name)  # @bp
        """,
    )
    terminal = drive(tmp_path, script, script.line())
    terminal.expect_exact("tty: True True True")
    terminal.expect_exact("name? ")
    terminal.sendline("Ada")
    terminal.expect_exact("STOPPED at 4")
    terminal.expect_exact("hello Ada")
    terminal.expect_exact("STATUS 0")
    terminal.expect(pexpect.EOF)
    assert "warning" not in terminal.before
    terminal.close()
    assert terminal.exitstatus == 0


def test_pdb_works_as_without_us(tmp_path: Path) -> None:
    script = Script(tmp_path, "import pdb\nx = 41\npdb.set_trace()\nprint('after', x)\n")
    terminal = drive(tmp_path, script, 0)
    terminal.expect_exact("(Pdb) ")
    terminal.sendline("p x + 1")
    terminal.expect_exact("42")
    terminal.expect_exact("(Pdb) ")
    terminal.sendline("c")
    terminal.expect_exact("after 41")
    terminal.expect_exact("STATUS 0")
    terminal.expect(pexpect.EOF)
    terminal.close()


@pytest.mark.parametrize("is_stopped", [False, True])
def test_ctrl_c_ends_the_program_in_its_own_way(tmp_path: Path, *, is_stopped: bool) -> None:
    script = Script(
        tmp_path,
        """
        import time
        try:
            print("ready", flush=True)
            x = 1  # @bp
            while True:
                time.sleep(0.05)
        except KeyboardInterrupt:
            print("saved a checkpoint", flush=True)
        """,
    )
    terminal = drive(tmp_path, script, script.line() if is_stopped else 0, "hold")
    terminal.expect_exact("STOPPED" if is_stopped else "ready")
    terminal.sendintr()
    terminal.expect_exact("saved a checkpoint")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus != 0 or terminal.signalstatus


def test_breakpoint_in_the_code_is_a_stop(tmp_path: Path) -> None:
    script = Script(tmp_path, "x = 1\nbreakpoint()\nprint(x)\n")

    async def main() -> None:
        async with await launch(script.program()) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            assert await stop.session.evaluate("x", stop.frames[0].id) == "1"
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None

    run(main())


def test_breakpoints_on_lines_without_code_move_forward_or_are_refused(tmp_path: Path) -> None:
    script = Script(
        tmp_path,
        """
        def f(x):
            # a comment  @
            return x + 1
        f(
            1,
        )
        """,
    )
    path = str(script.path)
    places = [Breakpoint(path, 2), Breakpoint(path, 99), Breakpoint(str(tmp_path / "no.py"), 1)]

    async def main() -> None:
        async with await launch(script.program(), places) as debuggee:
            moved, beyond, missing = debuggee.reports
            assert moved.is_moved
            assert moved.line == 3
            assert not beyond.is_verified
            assert "no code at line 99" in str(beyond.message)
            assert not missing.is_verified
            assert "No such file" in str(missing.message)
            stop = await debuggee.next_stop()
            assert stop is not None
            assert (stop.frames[0].name, stop.frames[0].line) == ("f", 3)
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None

    run(main())


def test_a_step_runs_one_line_and_cleared_breakpoints_do_not_stop(tmp_path: Path) -> None:
    script = Script(
        tmp_path,
        """
        for i in range(3):
            x = i  # @bp
            y = x
        """,
    )

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            first = await debuggee.next_stop()
            assert first is not None
            await debuggee.step(first)
            second = await debuggee.next_stop()
            assert second is not None
            assert (second.reason, second.index) == ("step", 1)
            assert second.frames[0].line == first.frames[0].line + 1
            with pytest.raises(EvaluateError, match="earlier stop"):
                await second.session.evaluate("x", first.frames[0].id)
            await debuggee.clear_breakpoints()
            await debuggee.resume(second)
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 0

    run(main())


def test_an_uncaught_exception_is_a_stop_where_it_was_raised(tmp_path: Path) -> None:
    script = Script(tmp_path, "def f(x):\n    return 1 / x  # @bp\nf(0)\n")

    async def main() -> None:
        async with await launch(script.program(), stop_at_uncaught=True) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            assert stop.reason == "exception"
            assert stop.text == "ZeroDivisionError: division by zero"
            assert stop.frames[0].line == script.line()
            assert await stop.session.evaluate("x", stop.frames[0].id) == "0"
            await debuggee.resume(stop)
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 1

    run(main())


@pytest.mark.parametrize(
    ("source", "status"), [("x = 1\n", 0), ("x = (\n", 1), (None, 1), ("raise SystemExit(3)\n", 3)]
)
def test_a_program_that_ends_without_a_stop_says_how(
    tmp_path: Path, source: str | None, status: int
) -> None:
    script = Script(tmp_path, source or "")
    if source is None:
        script.path.unlink()

    async def main() -> None:
        async with await launch(script.program(), [Breakpoint(str(script.path), 9)]) as debuggee:
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == status

    run(main())


@pytest.mark.parametrize(
    ("path", "said"),
    [("/bin/false", "status 1"), ("/no/such/python", "Cannot run /no/such/python")],
)
def test_an_interpreter_that_does_not_work_is_named(tmp_path: Path, path: str, said: str) -> None:
    script = Script(tmp_path, "x = 1\n")

    async def main() -> None:
        program = script.program()
        broken = dataclasses.replace(program.interpreter, path=path)
        with pytest.raises(DebuggerError, match=said):
            await launch(dataclasses.replace(program, interpreter=broken))

    run(main())


def test_a_released_program_runs_to_its_end_with_its_children(tmp_path: Path) -> None:
    script = Script(
        tmp_path,
        """
        import multiprocessing, subprocess, sys

        def child() -> None:
            x = 1  # @child

        if __name__ == "__main__":
            x = 1  # @bp
            for method in "fork", "spawn":
                process = multiprocessing.get_context(method).Process(target=child)
                process.start()
                process.join()
                assert process.exitcode == 0, method
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            breakpoint()
        """,
    )

    async def main() -> None:
        places = [script.breakpoint_at(), script.breakpoint_at("child")]
        async with await launch(script.program(), places) as debuggee:
            assert await debuggee.next_stop() is not None
            await debuggee.release()
            assert await debuggee.wait() == 0
            assert await debuggee.next_stop() is None

    run(main())


def test_a_long_text_comes_back_whole(tmp_path: Path) -> None:
    script = Script(tmp_path, "text = 'ab' * 750_000\nprint()  # @bp\n")

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            value = await stop.session.evaluate("text", stop.frames[0].id)
            assert value == repr("ab" * 750_000)
            await debuggee.close(kill=True)
            assert await debuggee.next_stop() is None

    run(main())


@pytest.mark.parametrize("error", [asyncio.CancelledError, ValueError])
def test_an_error_of_ours_leaves_no_process(tmp_path: Path, error: type[BaseException]) -> None:
    script = Script(tmp_path, "import time\nx = 1  # @bp\ntime.sleep(2)\n")

    async def main() -> None:
        with pytest.raises(error):  # noqa: PT012  # leaving the block is what is tested
            async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
                assert await debuggee.next_stop() is not None
                raise error
        assert debuggee.exit_code is not None

    run(main())
