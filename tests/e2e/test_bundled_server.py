"""The server in the packages of editors, under each Python at hand."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import zipfile
from modulefinder import ModuleFinder
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from support.debugpy_debugger import DebugpyDebugger
from support.editor import Editor
from support.interpreters import Version, interpreters
from support.packages import (
    PYCHARM,
    ROOT,
    VSIX,
    Package,
    locked,
    needed,
    of_the_command_line,
)

BACKEND = ROOT / "backend" / "gradpeek"
TRAINING = ROOT / "tests" / "integration" / "debuggees" / "training.py"
SIZE_LIMIT_BYTES = 5_000_000
OLDEST: Version = (3, 10)

UNWANTED = {
    "compiled files": r"\.(so|pyd|dll|dylib|node|pyc|pyo)$",
    "caches": r"/(__pycache__|\.[^/]*)(/|$)",
    "node packages": r"/node_modules/",
    "tests": r"/tests?/|/(test_[^/]*|[^/]*_test|conftest)\.py$|\.test\.ts$",
    "sources of an editor's side": r"\.(ts|kt|java|map)$|/(tsconfig|biome|package-lock)\.json$",
}

PRETENDS_TO_BE_OLD = """\
import runpy, sys
sys.version_info = (3, 9, 18, "final", 0)
runpy.run_path(sys.argv[1], run_name="__main__")
"""
NEW = {version: path for version, path in interpreters().items() if version >= OLDEST}
OLD = {version: path for version, path in interpreters().items() if version < OLDEST}


def name_of(version: Version) -> str:
    return ".".join(map(str, version))


@pytest.fixture(params=[VSIX, PYCHARM], ids=lambda package: package.target)
def package(request: pytest.FixtureRequest) -> Package:
    found = request.param
    assert isinstance(found, Package)
    return found


@pytest.fixture
def packed(package: Package) -> zipfile.ZipFile:
    return package.opened()


@pytest.fixture
def bundled(package: Package, packed: zipfile.ZipFile, tmp_path: Path) -> Path:
    """The folder that an editor starts, as it lies on a user's disk."""
    names = [name for name in packed.namelist() if name.startswith(package.bundled)]
    packed.extractall(tmp_path, names)
    return tmp_path / package.bundled


@pytest.mark.parametrize("pattern", UNWANTED.values(), ids=UNWANTED.keys())
def test_the_package_holds_nothing_that_users_do_not_need(
    packed: zipfile.ZipFile, pattern: str
) -> None:
    assert [name for name in packed.namelist() if re.search(pattern, name)] == []


def test_the_package_is_small(package: Package, packed: zipfile.ZipFile) -> None:
    assert packed.namelist()
    assert package.path.stat().st_size < SIZE_LIMIT_BYTES


def test_every_bundled_package_comes_with_its_licence(
    package: Package, packed: zipfile.ZipFile
) -> None:
    below = [name.removeprefix(package.bundled) for name in packed.namelist()]
    installed = {name.split("/")[0] for name in below if re.match(r"[^/]+\.dist-info/", name)}
    licensed = {name.split("/")[0] for name in below if ".dist-info/licenses/" in name}
    assert installed == licensed
    assert len(installed) == len(locked())


def test_the_backend_in_the_package_is_the_one_of_the_sources(
    package: Package, packed: zipfile.ZipFile
) -> None:
    inside = package.bundled + "gradpeek/"
    files = {
        name.removeprefix(inside): packed.read(name)
        for name in packed.namelist()
        if name.startswith(inside)
    }
    sources = {
        path.relative_to(BACKEND).as_posix(): path.read_bytes()
        for pattern in ("*.py", "*.json", "py.typed")
        for path in BACKEND.rglob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(BACKEND).parts)
    }
    assert files.keys() == sources.keys(), f"run `make {package.target}`"
    stale = [name for name in files if files[name] != sources[name]]
    assert stale == [], f"run `make {package.target}`"


def test_the_package_holds_what_is_locked_and_that_is_what_pyproject_asks_for(
    package: Package, packed: zipfile.ZipFile
) -> None:
    metadata = re.compile(re.escape(package.bundled) + r"([^/]+)-([^/-]+)\.dist-info/METADATA")
    found = [match for name in packed.namelist() if (match := metadata.fullmatch(name))]
    assert {canonicalize_name(match[1]): match[2] for match in found} == locked()
    bundled = [need for need in needed() if need.name in locked()]
    assert bundled
    wrong = [need for need in bundled if not need.specifier.contains(locked()[need.name])]
    assert wrong == [], "run `make lock`"


def test_no_import_anywhere_in_the_server_leads_to_the_command_line(bundled: Path) -> None:
    finder = ModuleFinder(path=[str(bundled)])
    finder.run_script(str(bundled / "__main__.py"))
    assert {"gradpeek.language_server.server", "pygls", "cattrs"} <= finder.modules.keys()
    outside = {name.split(".")[0] for name in finder.badmodules}
    assert outside & of_the_command_line() == set()


def traced(python: str, bundled: Path, log: Path) -> list[str]:
    """A command that serves as an editor starts it, and writes all its imports to `log`."""
    script = 'exec "$0" -v -I "$1" --stdio 2>"$2"'
    return ["sh", "-c", script, python, str(bundled), str(log)]


def check_imports(log: Path, bundled: Path) -> None:
    """Assert that a traced server ran from its own folder, beside the standard library."""
    trace = log.read_text("utf-8", "replace")
    _, started, trace = trace.partition(str(bundled / "__main__.py"))
    assert started
    modules = set(re.findall(r"^import '([\w.]+)'", trace, re.MULTILINE))
    assert {"gradpeek.language_server.server", "pygls.lsp.server", "cattrs"} <= modules
    assert {name.split(".")[0] for name in modules} & {*of_the_command_line(), "torch"} == set()
    files = re.findall(r"(?:code object|loaded) from '?([^'\n]+)", trace)
    assert any(Path(name).is_relative_to(bundled / "pygls") for name in files)
    others = [name for name in files if not Path(name).is_relative_to(bundled)]
    library = re.compile(r"/lib(64)?/python3\.\d+/(?!(site|dist)-packages/)")
    assert [name for name in others if not library.search(name)] == []


@pytest.mark.parametrize("python", NEW.values(), ids=map(name_of, NEW))
def test_the_bundled_server_starts_from_its_own_folder(
    bundled: Path, tmp_path: Path, python: str
) -> None:
    log = tmp_path / "imports.txt"

    async def ask() -> object:
        async with Editor(command=traced(python, bundled, log)) as editor:
            return await editor.request("roots")

    assert asyncio.run(ask()) == {"nodes": [], "state": "no_session", "message": None}
    check_imports(log, bundled)


@pytest.mark.parametrize("package", [VSIX], ids=["vsix"])
def test_the_bundled_server_shows_a_stop_as_the_installed_one_does(
    bundled: Path, tmp_path: Path
) -> None:
    log = tmp_path / "imports.txt"

    async def trees() -> list[list[str]]:
        shown = []
        async with DebugpyDebugger(TRAINING, context="clipboard") as debugger:
            halt = await debugger.wait_stop()
            assert halt is not None
            for editor in Editor(), Editor(command=traced(sys.executable, bundled, log)):
                async with editor:
                    editor.stopped(halt, debugger)
                    shown.append(await editor.measured())
        return shown

    installed, packed = asyncio.run(trees())
    assert packed == installed
    assert any("weight" in line for line in packed)
    check_imports(log, bundled)


def test_all_packages_bundle_the_same_server() -> None:
    files = []
    for package in VSIX, PYCHARM:
        packed = package.opened()
        names = [name for name in packed.namelist() if name.startswith(package.bundled)]
        files.append({name.removeprefix(package.bundled): packed.read(name) for name in names})
    assert files[0] == files[1]


@pytest.mark.parametrize(
    "command",
    [[path, "-I"] for path in OLD.values()] + [[sys.executable, "-I", "-c", PRETENDS_TO_BE_OLD]],
    ids=[*map(name_of, OLD), "pretended"],
)
def test_an_older_python_says_in_one_line_which_one_the_server_needs(
    bundled: Path, command: list[str]
) -> None:
    command = [*command, str(bundled), "--stdio"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith("GradPeek's language server needs Python 3.10 or later; ")
    assert command[0] in line
