"""Who may import whom: the seams of the design, read from the source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BACKEND = Path(__file__).parents[2] / "backend"
PACKAGE = BACKEND / "gradpeek"
SHARED_WITH_THE_PROBE = "gradpeek.probe.moments"
"""Arithmetic on moments: plain standard library, the same on both sides of the wire."""

IN_PROCESS = "gradpeek.in_process"
"""`grads` for code and debug consoles: imports the probe, as it runs in the debuggee itself."""
DRAWS_WITH_RICH = "gradpeek.rendering.rich_tree"
"""For the command line; the rest of rendering also runs where nothing is installed."""

FILES = sorted(PACKAGE.rglob("*.py"))
PROBE = [path for path in FILES if "probe" in path.relative_to(PACKAGE).parts[:1]]
INJECTED = [path for path in FILES if "injected" in path.relative_to(PACKAGE).parts[:1]]
HOST = [path for path in FILES if path not in PROBE]


def module_name(path: Path) -> str:
    """Dotted name of a module of the package."""
    parts = path.relative_to(BACKEND).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Dotted names of all modules that a file imports, anywhere in it."""
    name = module_name(path)
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if is_module(whole) else base


def is_module(name: str) -> bool:
    """Whether a dotted name is a module or package of ours."""
    path = BACKEND.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def lies_in(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def files_of(folder: str) -> list[Path]:
    """Modules of one layer."""
    found = [path for path in FILES if lies_in(module_name(path), f"gradpeek.{folder}")]
    assert found, f"no layer {folder}"
    return found


def wrong(files: list[Path], *allowed: str) -> list[str]:
    """Imports that are neither the standard library's nor allowed."""
    return [
        f"{module_name(path)} imports {name}"
        for path in files
        for name in imports(path)
        if not lies_in(name, *sys.stdlib_module_names, *allowed)
    ]


def test_the_probe_needs_the_standard_library_and_torch_only() -> None:
    assert wrong(PROBE, "torch", "gradpeek.probe") == []


def test_what_is_injected_needs_the_standard_library_only_and_is_imported_by_nobody() -> None:
    assert wrong(INJECTED) == []
    users = [
        path for path in FILES if any(lies_in(one, "gradpeek.injected") for one in imports(path))
    ]
    assert users == []


@pytest.mark.parametrize("path", [*PROBE, *INJECTED], ids=module_name)
def test_what_runs_in_the_debuggee_is_python_3_8(path: Path) -> None:
    ast.parse(path.read_text("utf-8"), feature_version=(3, 8))


def test_what_both_sides_share_is_plain_standard_library() -> None:
    shared = BACKEND.joinpath(*SHARED_WITH_THE_PROBE.split(".")).with_suffix(".py")
    assert wrong([shared]) == []


def test_the_host_never_imports_torch_or_the_probe_but_to_look_at_its_own_process() -> None:
    found = [
        f"{module_name(path)} imports {name}"
        for path in HOST
        for name in imports(path)
        if lies_in(name, "torch")
        or (
            lies_in(name, "gradpeek.probe")
            and name != SHARED_WITH_THE_PROBE
            and not lies_in(module_name(path), IN_PROCESS)
        )
    ]
    assert found == []


def test_only_the_public_grads_looks_at_its_own_process() -> None:
    users = {
        module_name(path)
        for path in FILES
        if any(lies_in(name, IN_PROCESS) for name in imports(path))
    }
    assert users == {"gradpeek", *(name for name in users if lies_in(name, IN_PROCESS))}


def test_dap_knows_no_gradients() -> None:
    assert wrong(files_of("dap"), "debugpy", "gradpeek.dap", "gradpeek.errors") == []


def test_errors_and_wire_stand_on_nothing_of_ours() -> None:
    assert wrong(files_of("errors")) == []
    assert wrong(files_of("wire"), "attrs", "cattrs", "gradpeek.wire", "gradpeek.errors") == []


@pytest.mark.parametrize("layer", ["analysis", "rendering"])
def test_what_thinks_and_what_draws_is_pure(layer: str) -> None:
    allowed = ("gradpeek.inspection", "gradpeek.wire", f"gradpeek.{layer}")
    files = [path for path in files_of(layer) if module_name(path) != DRAWS_WITH_RICH]
    assert wrong(files, *allowed) == []
    for path in files_of(layer):
        for name in imports(path):
            assert not lies_in(name, "asyncio", "socket", "subprocess", "threading"), path


def test_only_the_command_line_draws_with_rich() -> None:
    path = BACKEND.joinpath(*DRAWS_WITH_RICH.split(".")).with_suffix(".py")
    assert wrong([path], "gradpeek.inspection", "gradpeek.rendering", "rich") == []
    users = {module_name(path) for path in HOST if DRAWS_WITH_RICH in imports(path)}
    assert users == {"gradpeek.output"}


def test_the_language_server_knows_no_command_line_which_may_only_start_it() -> None:
    for path in FILES:
        name = module_name(path)
        for imported in imports(path):
            if lies_in(name, "gradpeek.language_server"):
                assert not lies_in(imported, "gradpeek.cli", "gradpeek.stops", "gradpeek.output")
            elif lies_in(imported, "gradpeek.language_server"):
                assert name == "gradpeek.cli", f"{name} imports {imported}"
