"""Compiles the PyCharm plugin where no Gradle and no IDE can be had.

The npm package `kotlin-compiler` compiles the plugin's sources against the part of the IDE's core
that is in that package, `stubs/` for the rest, and Gson. A stub is never packed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PLUGIN = Path(__file__).resolve().parents[1]
ROOT = PLUGIN.parent
OUT = PLUGIN / "out"
SOURCES = PLUGIN / "src" / "main"
TESTS = PLUGIN / "src" / "test"
COMPILER = PLUGIN / "node_modules" / "kotlin-compiler" / "lib"
PLATFORM = [
    COMPILER / name
    for name in (
        *("kotlin-compiler.jar", "kotlin-stdlib.jar", "annotations-13.0.jar"),
        "kotlinx-coroutines-core-jvm.jar",
    )
]
JARS = Path("/usr/share/java")
GSON = JARS / "gson.jar"
JUNIT = [
    JARS / f"{name}.jar"
    for name in (
        *("junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params"),
        *("junit-platform-commons", "junit-platform-engine", "junit-platform-launcher"),
        *("junit-platform-console", "junit-platform-reporting", "opentest4j", "picocli"),
        *("apiguardian-api", "univocity-parsers", "opentest4j-reporting-events"),
    )
]


def setting(name: str) -> str:
    """What gradle.properties says, which both builds read."""
    text = (PLUGIN / "gradle.properties").read_text("utf-8")
    found = re.search(rf"^{re.escape(name)} *= *(\S+)$", text, re.MULTILINE)
    assert found is not None, name
    return found[1]


BYTECODE = setting("gradpeek.bytecode")
"""The oldest supported IDE runs on 21; the tests run on what is here."""
LANGUAGE = setting("gradpeek.kotlin")
"""The Kotlin library that the oldest supported IDE brings."""


def run(*command: str | Path, **variables: str) -> None:
    """Run a command, and end with its status where it fails."""
    done = subprocess.run(  # noqa: S603
        [str(word) for word in command], check=False, env={**os.environ, **variables}
    )
    if done.returncode:
        sys.exit(done.returncode)


def need(*paths: Path) -> None:
    """End with a message unless all of them are there, and a JDK."""
    missing = [str(path) for path in paths if not path.exists()]
    missing += [tool for tool in ("java", "javac") if shutil.which(tool) is None]
    if missing:
        sys.exit(
            f"{', '.join(missing)} missing: `npm ci` in pycharm-plugin, "
            "`apt-get install openjdk-17-jdk-headless libgoogle-gson-java junit5`"
        )


def files(folder: Path, *suffixes: str) -> list[Path]:
    """The files below a folder whose names end so, or all, in a stable order."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not suffixes or path.suffix in suffixes)


def made(folder: Path, sources: list[Path], *command: str | Path) -> None:
    """Fill `folder` by a command, unless the same words and `sources` did so before.

    The sources are all that the result depends on, of what is written in this project.
    """
    digest = hashlib.sha256("\0".join(map(str, command)).encode())
    for source in sources:
        digest.update(f"\0{source}\0".encode() + source.read_bytes())
    stamp = folder.with_suffix(".stamp")
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run(*command)
    stamp.write_text(digest.hexdigest())


def kotlin(name: str, root: Path, libraries: list[Path], *options: str) -> Path:
    """The folder with the classes of the Kotlin sources below `root`; a warning is an error."""
    sources = files(root, ".kt")
    beneath = files(PLUGIN / "stubs", ".java") + files(SOURCES / "kotlin", ".kt")
    beneath.append(PLUGIN / "package-lock.json")
    folder = OUT / name
    loader, compiler = (str(COMPILER / f"kotlin-{name}.jar") for name in ("preloader", "compiler"))
    made(
        folder,
        sources + beneath,
        *("java", "-Xmx1g", "-cp", loader, "org.jetbrains.kotlin.preloading.Preloader"),
        *("-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"),
        *("-no-stdlib", "-no-reflect", "-Werror", "-Xsuppress-version-warnings"),
        *("-language-version", LANGUAGE, "-api-version", LANGUAGE, "-jvm-target", BYTECODE),
        *("-module-name", f"gradpeek_{name}", *options),
        *("-classpath", ":".join(map(str, libraries)), "-d", str(folder)),
        *sources,
    )
    return folder


def stubs() -> Path:
    """The folder with the classes of the stubs."""
    need(*PLATFORM)
    sources = files(PLUGIN / "stubs", ".java")
    folder = OUT / "stubs"
    libraries = ":".join(map(str, PLATFORM))
    compiler = ("javac", "-nowarn", "--release", BYTECODE, "-classpath", libraries)
    made(folder, sources, *compiler, "-d", folder, *sources)
    return folder


def compiled() -> Path:
    """The folder with the plugin's own classes."""
    need(*PLATFORM, GSON)
    return kotlin("classes", SOURCES / "kotlin", [*PLATFORM, stubs(), GSON])


def compiled_tests() -> tuple[Path, list[Path]]:
    """The folder with the classes of the tests, and what they run on."""
    need(*JUNIT)
    beneath = [compiled(), SOURCES / "resources", *PLATFORM, stubs(), GSON, *JUNIT]
    friends = f"-Xfriend-paths={OUT / 'classes'}"
    return kotlin("tests", TESTS / "kotlin", beneath, friends), beneath
