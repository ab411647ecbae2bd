"""What the documentation tells people to type exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gradpeek.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.zh-CN.md", ROOT / "CONTRIBUTING.md"]
PAGES += [*sorted((ROOT / "docs").glob("*.md")), ROOT / "pycharm-plugin" / "README.md"]
OPTION = re.compile(r"^--?[a-z][a-z-]*")


def page_id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def commands(text: str, program: str) -> Iterator[str]:
    """What follows `program` in code, to the end of the line or of the code."""
    for line in re.findall(rf"^\$ {program} ([^#\n]+)", text, re.MULTILINE):
        yield line.strip()
    yield from re.findall(rf"`{program} ([^`]+)`", text)


def our_options(command: str) -> tuple[str, set[str]]:
    """Subcommand of a command line, and the options before its script."""
    name, *words = shlex.split(command)
    options = set()
    at = 0
    while at < len(words) and words[at].startswith("-"):
        found = OPTION.match(words[at])
        assert found, words[at]
        options.add(found[0])
        if found[0] == "-m":
            break
        at += 1 if "=" in words[at] else 2
    return name, options


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_each_command_and_option_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    for command in commands(text, "gradpeek"):
        name, used = our_options(command)
        assert name in main.commands, command
        known = {
            flag
            for parameter in main.commands[name].params
            if isinstance(parameter, click.Option)
            for flag in parameter.opts
        }
        assert used <= known, command


def test_the_options_of_the_table_are_options_of_run() -> None:
    known = {flag for parameter in main.commands["run"].params for flag in parameter.opts}
    used = set(re.findall(r"`(--?[a-z]+)[ `]", (ROOT / "README.md").read_text("utf-8")))
    assert {"--break", "--show", "--frame", "--stops", "--then", "-m"} <= used | {"-m"}
    assert used <= known


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_each_make_target_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for command in commands(page.read_text("utf-8"), "make"):
        assert command.split()[0] in targets, command


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_each_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_each_file_of_the_map_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.split("## To change X, open Y")[1].split("##")[0]
    package = ROOT / "backend" / "gradpeek"
    for cell in re.findall(r"\|([^|]+)\|$", table, re.MULTILINE)[2:]:
        folder = package
        for name in re.findall(r"`(?:python )?([\w./-]+\.(?:py|md|json))", cell):
            places = [ROOT / name, package / name, folder / name]
            found = [place for place in places if place.exists()]
            assert found, name
            folder = found[0].parent


def test_the_two_readmes_tell_the_same_options_and_badges() -> None:
    english, chinese = (page.read_text("utf-8") for page in PAGES[:2])
    code = re.compile(r"`[^`\n]+`|^\$ .+", re.MULTILINE)
    assert set(code.findall(english)) == set(code.findall(chinese))
