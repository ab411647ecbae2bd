"""What the PyCharm plugin uses of the IDE's API is what was read in the IDE's public sources."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from support.class_files import declared, referred
from support.packages import ROOT

PLUGIN = ROOT / "pycharm-plugin"
STUBS = PLUGIN / "stubs"
OUT = PLUGIN / "out"
COMPILER = PLUGIN / "node_modules" / "kotlin-compiler" / "lib" / "kotlin-compiler.jar"
MARKS = {"", "newer", "tests", "java"}
OURS_OR_BROUGHT = ("dev/gradpeek/", "java/", "javax/", "kotlin/", "com/google/gson/")
HEADER = re.compile(r"\A// API stub, never shipped\. [^\n]+ intellij-community:\n// (\S+)\n")


@dataclass
class Stated:
    """What the table says: sources by class, members by class, and marks of either."""

    sources: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    marks: dict[tuple[str, str], str] = field(default_factory=dict)


def name_of(declaration: str) -> str:
    """The class that a declaration declares."""
    found = re.search(r"\b(?:class|interface) ([\w.$]+)", declaration)
    assert found is not None, declaration
    return found[1]


def lines_of(members: dict[str, list[str]]) -> set[str]:
    """Each class, and each member with its class."""
    return {name_of(each) + ": " + line for each in members for line in (each, *members[each])}


@cache
def table() -> Stated:
    stated = Stated()
    source = declaration = ""
    for line in (STUBS / "signatures.txt").read_text("utf-8").splitlines():
        text, _, mark = line.strip().partition("  // ")
        if not text or text.startswith("#"):
            continue
        if not line.startswith(" "):
            found = re.fullmatch(r"(\S+) @ [0-9a-f]{12}", text)
            assert found, f"no commit at which it was read: {line}"
            source = found[1]
        elif not line.startswith("    "):
            declaration = text
            stated.sources[name_of(text)] = source
            stated.members[text] = []
            stated.marks[declaration, ""] = mark
        else:
            stated.members[declaration].append(text)
            stated.marks[declaration, text] = mark
    return stated


@pytest.fixture(scope="session")
def used() -> set[tuple[str, str]]:
    """What the plugin's own classes refer to."""
    classes = OUT / "classes"
    if not classes.exists():
        pytest.skip("the plugin is not compiled: run `make pycharm-plugin`")
    return {each for each in referred(classes) if not each[0].startswith(OURS_OR_BROUGHT)}


@pytest.fixture(scope="session")
def core() -> set[str]:
    """Classes that the compiler brings."""
    return {name.removesuffix(".class") for name in zipfile.ZipFile(COMPILER).namelist()}


def test_the_stubs_state_what_the_table_states_and_nothing_else() -> None:
    if not (OUT / "stubs").exists():
        pytest.skip("the plugin is not compiled: run `make pycharm-plugin`")
    stubs = lines_of(declared(OUT / "stubs"))
    assert stubs
    assert stubs - lines_of(table().members) == set(), "read them in the sources, then state them"
    assert lines_of(table().members) - stubs == set(), "no stub states them any more"
    assert set(table().marks.values()) <= MARKS


def test_each_stub_names_the_source_that_the_table_names() -> None:
    files = sorted(STUBS.rglob("*.java"))
    named = {}
    for path in files:
        header = HEADER.match(path.read_text("utf-8"))
        assert header, path
        named[path.relative_to(STUBS).with_suffix("").as_posix().replace("/", ".")] = header[1]
    outer = {name: source for name, source in table().sources.items() if "$" not in name}
    assert named == outer
    for name, source in outer.items():
        assert Path(source).stem == name.rsplit(".", 1)[-1]


def test_there_is_no_stub_for_a_class_that_the_compiler_brings(core: set[str]) -> None:
    stubs = {name.replace(".", "/") for name in table().sources}
    assert stubs
    assert stubs & core == set()


def test_the_plugin_uses_nothing_that_only_tests_may_use(used: set[tuple[str, str]]) -> None:
    for (declaration, member), mark in table().marks.items():
        if mark == "tests":
            owner = name_of(declaration).replace(".", "/")
            call = re.search(r"([\w.$]+)\(", member)
            name = call[1] if call else member.rstrip(";").rsplit(" ", 1)[-1]
            name = "<init>" if name == name_of(declaration) else name
            calls = {what for of, what in used if of == owner and what.startswith(f"{name}:")}
            assert calls == set(), f"{declaration}: {member}"


def test_all_that_is_used_of_the_ides_core_was_read_in_its_sources(
    used: set[tuple[str, str]], core: set[str]
) -> None:
    stubs = {name.replace(".", "/") for name in table().sources}
    outside = {each for each in used if each[0] not in stubs}
    assert {owner for owner, _ in outside} <= core
    assert all(owner.startswith("com/intellij/") for owner, _ in outside)
    lines = (STUBS / "core.txt").read_text("utf-8").splitlines()
    read = {line.strip() for line in lines if line.startswith(" ")}
    found = {f"{owner} {member}".strip() for owner, member in outside}
    assert found - read == set(), "read them in the sources, then state them"
    assert read - found == set(), "they are not used any more"
