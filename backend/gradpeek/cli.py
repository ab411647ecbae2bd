"""The command line: `gradpeek run`, `gradpeek attach` and `gradpeek serve`."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from gradpeek import __version__
from gradpeek.dap.breakpoints import Breakpoint, place
from gradpeek.dap.debuggee import Debuggee
from gradpeek.dap.interpreter import choose_interpreter
from gradpeek.dap.start import Program, attach, attach_process, launch
from gradpeek.errors import GradPeekError
from gradpeek.language_server.serve import serve
from gradpeek.output import Output, forget_stdout, message
from gradpeek.stops import Options, watch

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""
UNREAD = 141
"""Exit status where whoever read our stdout has left, as shells have it."""


class _RunCommand(click.Command):
    """Ends our options at SCRIPT, or at the MODULE after -m, as Python itself does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `--` where the options of the program begin."""
        at = 0
        while at < len(args) and args[at].startswith("-") and args[at] not in ("--", "-"):
            if args[at].startswith("-m"):
                after = at + (2 if args[at] == "-m" else 1)
                if after <= len(args):
                    args = [*args[:after], "--", *args[after:]]
                break
            attached = "=" in args[at] or (args[at][1] != "-" and len(args[at]) > 2)
            at += 1 if attached or args[at] == "--help" else 2
        return super().parse_args(ctx, args)


def _breakpoint(text: str) -> Breakpoint:
    file, _, digits = text.rpartition(":")
    line = _number(digits)
    if not file or line < 1:
        raise click.BadParameter(
            f"{text!r} is neither FILE:LINE nor 'uncaught'", param_hint="--break"
        )
    found = Breakpoint(file, line)
    report = place(found)
    if report.message is not None:
        raise click.BadParameter(report.message, param_hint="--break")
    if report.is_moved:
        message(f"{text} holds no code, it will stop at line {report.line}")
    return found


def _number(digits: str) -> int:
    """Return the number that `digits` write, or -1."""
    return int(digits) if digits.isdecimal() and len(digits) < 10 else -1


def _display_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, writable=True),
            metavar="FILE",
            help="Write what is shown to FILE instead of the terminal.",
        ),
        click.option(
            "--format",
            "style",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="A tree for people, or one JSON object a line and stop.",
        ),
        click.option(
            "--then",
            "after",
            type=click.Choice(["run", "kill"]),
            default="run",
            show_default=True,
            help="What becomes of the program after the last stop.",
        ),
        click.option(
            "--stops",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            metavar="N",
            help="How many stops to show; 0 for every one.",
        ),
        click.option(
            "--frame",
            type=click.IntRange(min=0),
            metavar="N",
            help="Look into the N-th caller of the function that stopped.",
        ),
        click.option(
            "--show",
            "expressions",
            multiple=True,
            metavar="EXPR",
            help="Show this expression, e.g. model or self.net[0]. Again for more. Without it "
            "the models, optimizers and tensors of the frame are found.",
        ),
        click.option(
            "--break",
            "breaks",
            multiple=True,
            metavar="FILE:LINE",
            help="Stop there; or at 'uncaught' exceptions. Again for more.",
        ),
    ):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gradpeek")
def main() -> None:
    """See each layer's weight and gradient at a breakpoint, and why a gradient is missing."""


@main.command(cls=_RunCommand, context_settings={"allow_interspersed_args": False})
@click.option("--python", metavar="PATH", help="The Python that runs the program.")
@click.option("-m", "module", metavar="MODULE", help="Run a module, like python -m.")
@_display_options
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT [ARGS]...")
def run(python: str | None, module: str | None, words: tuple[str, ...], **display: Any) -> None:
    """Run SCRIPT and show gradients where it stops.

    Stops at --break lines and at breakpoint() calls. Our options end at SCRIPT; what follows is
    the program's. It keeps its terminal, and runs on after the last stop.
    """
    if module is None:
        if not words:
            raise click.UsageError("Name a SCRIPT to run, or a module with -m.")
        if not Path(words[0]).exists():
            raise click.UsageError(f"There is no script {words[0]!r} here.")
        words, target = words[1:], words[0]
    else:
        target = module

    async def start(options: Options) -> Debuggee:
        program = Program(choose_interpreter(python), target, words, is_module=module is not None)
        return await launch(program, options.breakpoints, stop_at_uncaught=options.stop_at_uncaught)

    _watch(start, launched=True, **display)


@main.command(name="attach")
@click.option("--pid", type=click.IntRange(min=1), metavar="PID", help="A running process.")
@_display_options
@click.argument("address", required=False, metavar="[HOST:PORT]")
def attach_command(pid: int | None, address: str | None, **display: Any) -> None:
    """Attach to a program whose debugpy listens at HOST:PORT, or to a process by its PID.

    Without --break it is paused where it is, shown, and let go on.
    """
    if (pid is None) == (address is None):
        raise click.UsageError("Name either HOST:PORT or --pid PID.")
    host, _, digits = (address or "").rpartition(":")
    port = _number(digits)
    if address is not None and not 0 < port < 65536:
        raise click.UsageError(f"{address!r} is not HOST:PORT, e.g. localhost:5678.")

    async def start(options: Options) -> Debuggee:
        chosen = (options.breakpoints,)
        if pid is not None:
            return await attach_process(pid, *chosen, stop_at_uncaught=options.stop_at_uncaught)
        return await attach(
            host.strip("[]") or "127.0.0.1",
            port,
            *chosen,
            stop_at_uncaught=options.stop_at_uncaught,
        )

    _watch(start, launched=False, **display)


@main.command(name="serve")
@click.option("--stdio", is_flag=True, help="Speak on stdin and stdout, as it does by default.")
@click.option("--tcp", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Listen there.")
def serve_command(*, stdio: bool, port: int | None) -> None:
    """Serve an editor: the language server behind GradPeek's extensions.

    It speaks the Language Server Protocol, on stdio or on a port of the loopback interface.
    """
    if stdio and port is not None:
        raise click.UsageError("Choose --stdio or --tcp PORT, not both.")
    serve(port)


def _watch(
    start: Callable[[Options], Coroutine[Any, Any, Debuggee]],
    *,
    launched: bool,
    breaks: tuple[str, ...],
    expressions: tuple[str, ...],
    frame: int | None,
    stops: int,
    after: str,
    style: str,
    output: str | None,
) -> None:
    """Show the stops, and end this process with the exit status that design asks for."""
    options = Options(
        breakpoints=tuple(_breakpoint(text) for text in breaks if text != "uncaught"),
        stop_at_uncaught="uncaught" in breaks,
        expressions=list(expressions) or None,
        frame=frame,
        stops=stops,
        kill=after == "kill",
        pause=not launched and not breaks,
    )
    try:
        with Output.open(style, output) as shown:
            status = asyncio.run(_until_signalled(watch(start, options, shown)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        message("interrupted")
        status = INTERRUPTED
    except BrokenPipeError:
        forget_stdout()
        status = UNREAD
    except GradPeekError as error:
        message(str(error))
        status = error.exit_status
    sys.exit(status)


async def _until_signalled(work: Coroutine[Any, Any, int]) -> int:
    """Run `work`; a request to terminate cancels it, as Ctrl-C does, so that it cleans up."""
    task = asyncio.ensure_future(work)
    with suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task
