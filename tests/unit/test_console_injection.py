"""What a debug console's `grads` needs as one expression: whole, pure, and put in politely."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from gradpeek.console_injection import ConsoleInjection, build, console, needed
from gradpeek.injection import probe, probe_sources
from support.consoles import registered

BARE = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("gradpeek", "rich", "attr", "attrs", "cattrs", "pygls"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Bare())
"""
"""Makes a process look like one in which nothing of ours is installed."""


def bare(code: str, *, python: str = sys.executable) -> str:
    """What a program prints that begins with `register` and `unregister` as texts."""
    expressions = f"register = {console().register!r}\nunregister = {console().unregister!r}\n"
    program = BARE + expressions + textwrap.dedent(code)
    command = [python, "-W", "error::SyntaxWarning", "-"]
    ended = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return ended.stdout


@pytest.fixture
def ours() -> Iterator[ConsoleInjection]:
    """The real one; unregistered afterwards."""
    injection = console()
    yield injection
    eval(injection.unregister)


def loaded(injection: ConsoleInjection) -> list[str]:
    return [name for name in sys.modules if name.startswith(injection.package)]


def test_it_is_one_ascii_expression_and_the_same_each_time() -> None:
    one, two = build(needed(), probe_sources()), build(needed(), probe_sources())
    assert one == two == console()
    for expression in (one.register, one.unregister):
        ast.parse(expression, mode="eval")
        assert expression.isascii()
        assert "\n" not in expression


def test_another_text_of_a_module_or_of_the_probe_is_another_package() -> None:
    sources, files = needed(), probe_sources()
    changed = [
        build({**sources, "errors": sources["errors"] + "\n"}, files),
        build(sources, {**files, "kinds": files["kinds"] + "\n"}),
    ]
    assert len({console().package, *(one.package for one in changed)}) == 3


def test_what_is_sent_needs_the_standard_library_only_and_comes_after_what_it_imports() -> None:
    sources = needed()
    before: set[str] = set()
    for name, text in sources.items():
        assert not name.startswith("probe")
        for node in ast.parse(text).body:
            if isinstance(node, ast.Import):
                assert {one.name.partition(".")[0] for one in node.names} <= sys.stdlib_module_names
            elif isinstance(node, ast.ImportFrom):
                module = node.module or ""
                top, _, below = module.partition(".")
                if top != "gradpeek":
                    assert top in sys.stdlib_module_names
                elif not module.startswith("gradpeek.probe"):
                    whole = {f"{below}.{alias.name}" for alias in node.names}
                    assert below in before or whole <= before, f"{name} imports {module} too early"
        before.add(name)


@pytest.mark.parametrize(
    "text",
    ["import gradpeek.errors\n", "from . import errors\n", "from gradpeek.inspector import (\n a)"],
)
def test_an_import_is_rewritten_or_refused(text: str) -> None:
    if text.startswith("from gradpeek"):
        assert build({"one": text}, probe_sources()).package
    else:
        with pytest.raises(ValueError, match="line 1"):
            build({"one": text}, probe_sources())


def test_it_runs_where_nothing_of_ours_is_installed() -> None:
    output = bare("""
        print(eval(register))
        import torch
        model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
        model(torch.ones(1, 2)).sum().backward()
        print(grads(model))
        print(show_gradients(model[0].weight))
        print(sorted(n for n in sys.modules if n.partition(".")[0] in ("gradpeek", "rich", "attr")))
    """)
    assert output.startswith("registered\nmodel  Sequential")
    assert "weight  [3,2] float32" in output
    assert output.endswith("\n[]\n")


def test_torch_need_not_be_loaded_before_it_is_called() -> None:
    output = bare("""
        print(eval(register))
        print(grads(3))
        print("torch" in sys.modules)
        import torch
        print(eval(register))
        layer = torch.nn.Linear(2, 3)
        print(repr(grads(layer)).splitlines()[0])
    """).splitlines()
    assert output[:4] == [
        "registered",
        "torch is not loaded in this process: stop after `import torch`",
        "False",
        "present",
    ]
    assert output[4].startswith("layer  Linear")


def test_a_forked_process_has_it_too() -> None:
    output = bare("""
        import os
        import torch
        print(eval(register), flush=True)
        layer = torch.nn.Linear(2, 3)
        child = os.fork()
        if not child:
            print(eval(register), repr(grads(layer)).splitlines()[0], flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(eval(register), repr(grads(layer)).splitlines()[0])
    """).splitlines()
    assert output[0] == "registered"
    assert output[1] == output[2]
    assert output[1].startswith("present layer  Linear")


def test_evaluated_again_it_does_nothing(ours: ConsoleInjection) -> None:
    before = dict(vars(builtins))
    assert eval(ours.register) == "registered"
    put = vars(builtins)["grads"]
    assert eval(ours.register) == eval(ours.register) == "present"
    assert vars(builtins) == {**before, "grads": put, "show_gradients": put}


def test_a_name_that_builtins_has_already_stays_what_it_is(
    ours: ConsoleInjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = object()
    monkeypatch.setattr(builtins, "grads", theirs, raising=False)
    assert eval(ours.register) == eval(ours.register) == "taken: grads"
    assert vars(builtins)["grads"] is theirs
    layer = torch.nn.Linear(1, 1)
    assert repr(vars(builtins)["show_gradients"](layer)).startswith("layer  Linear")
    assert eval(ours.unregister) == "unregistered"
    assert vars(builtins)["grads"] is theirs
    assert "show_gradients" not in vars(builtins)


def test_unregistering_takes_out_what_was_put_in_and_no_more(ours: ConsoleInjection) -> None:
    before = dict(vars(builtins))
    assert eval(ours.unregister) == "absent"
    with registered(ours):
        vars(builtins)["grads"](torch.ones(1))
        assert len(loaded(ours)) > 10
    assert vars(builtins) == before
    assert loaded(ours) == []
    assert eval(ours.unregister) == "absent"
    with registered(ours):
        assert repr(vars(builtins)["grads"](torch.ones(1))).startswith("tensor  [1]")


def test_nothing_is_compiled_before_the_first_call(ours: ConsoleInjection) -> None:
    eval(ours.register)
    assert loaded(ours) == [ours.package]


def test_a_process_has_one_probe_whoever_comes_first(ours: ConsoleInjection) -> None:
    def probes() -> dict[str, Any]:
        return {n: m for n, m in sys.modules.items() if n.startswith("_gradpeek_probe_")}

    for name in probes():
        del sys.modules[name]
    eval(ours.register)
    vars(builtins)["grads"](torch.ones(1))
    put = probes()
    assert f"{probe().package}.entry" in put
    assert eval(probe().expression) == "loaded"
    assert probes() == put
    console_probe = sys.modules[f"{ours.package}.in_process.client"].__dict__["METHODS"]
    assert console_probe is put[f"{probe().package}.answers"].METHODS


def test_code_of_ours_has_file_names_that_no_debugger_steps_into(ours: ConsoleInjection) -> None:
    eval(ours.register)
    grads = vars(builtins)["grads"]
    grads(torch.ones(1))
    for name in loaded(ours):
        for value in vars(sys.modules[name]).values():
            if getattr(value, "__module__", "") == name and hasattr(value, "__code__"):
                assert value.__code__.co_filename.startswith("<gradpeek-probe>/")
    assert grads.__code__.co_filename.startswith("<gradpeek-probe>/")


def test_a_python_that_is_too_old_is_told_so(
    ours: ConsoleInjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    eval(ours.register)
    monkeypatch.setattr(sys.modules[ours.package], "OLDEST", (99, 0))
    text = repr(vars(builtins)["grads"](torch.ones(1)))
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert text == f"grads needs Python 99.0 or later in the program, which runs {version}"


def test_what_fails_to_load_is_said_in_one_line_and_leaves_nothing_behind() -> None:
    broken = build(
        {"in_process": "", "in_process.console": "raise RuntimeError('no')\n"}, probe_sources()
    )
    with registered(broken):
        text = repr(vars(builtins)["grads"](torch.ones(1)))
        assert text == "grads could not be loaded: RuntimeError: no"
        assert loaded(broken) == [broken.package]
