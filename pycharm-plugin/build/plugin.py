"""Builds the PyCharm plugin where no Gradle and no IDE can be had: plugin.py compile|test|package.

The npm package `kotlin-compiler` compiles the plugin's sources against the part of the IDE's core
that is in that package, `stubs/` for the rest, and Gson. A stub is never packed.

Needs JDK 17 or later and Debian's `libgoogle-gson-java`; `test` also needs `junit5`, and a Python
with GradPeek and torch: the one that GRADPEEK_PYTHON names, else the one that runs this.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
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
BYTECODE = "17"
"""The oldest supported IDE runs on 21; the tests run on what is here."""
LANGUAGE = "2.1"
"""The Kotlin library that the oldest supported IDE brings."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files in archives: the same sources give the same bytes."""


def version() -> str:
    """The project's one version."""
    text = (ROOT / "backend" / "gradpeek" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def run(*command: str | Path, **variables: str) -> None:
    """Run a command, and end with its status where it fails."""
    done = subprocess.run(  # noqa: S603
        [str(word) for word in command], check=False, env={**os.environ, **variables}
    )
    if done.returncode:
        sys.exit(done.returncode)


def need(*paths: Path) -> None:
    """End with a message unless all of them are there."""
    for path in paths:
        if not path.exists():
            sys.exit(f"{path} is missing: `npm ci`, `apt-get install libgoogle-gson-java junit5`")


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


def test() -> None:
    """Run the tests; a failed one, or none at all, is the exit status."""
    need(*JUNIT)
    main = [compiled(), SOURCES / "resources", *PLATFORM, stubs(), GSON, *JUNIT]
    friends = f"-Xfriend-paths={OUT / 'classes'}"
    tests = kotlin("tests", TESTS / "kotlin", main, friends)
    run(
        *("java", "-ea", "-Djava.awt.headless=true", "-cp", ":".join(map(str, [tests, *main]))),
        *("org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--scan-classpath"),
        *(str(tests), "--details=tree", "--fail-if-no-tests", "--include-classname=.*"),
        GRADPEEK_PYTHON=os.environ.get("GRADPEEK_PYTHON", sys.executable),
        GRADPEEK_TESTS=str(TESTS),
        GRADPEEK_EXAMPLES=str(ROOT / "backend" / "protocol" / "examples" / "editor"),
    )


def archive(target: Path, entries: dict[str, bytes]) -> None:
    """Write a zip file; the same entries give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in sorted(entries.items()):
            facts = zipfile.ZipInfo(name, EPOCH)
            facts.compress_type = zipfile.ZIP_DEFLATED
            facts.external_attr = 0o644 << 16
            packed.writestr(facts, content)


def contents(folder: Path, below: str = "") -> dict[str, bytes]:
    """What an archive has of a folder."""
    return {
        below + path.relative_to(folder).as_posix(): path.read_bytes() for path in files(folder)
    }


def jar(target: Path) -> None:
    """Write the plugin's jar: its own classes and resources, with the version in plugin.xml."""
    entries = {**contents(compiled()), **contents(SOURCES / "resources")}
    strange = [name for name in entries if name.endswith(".class") and not name.startswith("dev/")]
    assert not strange, f"classes that are the IDE's: {strange}"
    description = "META-INF/plugin.xml"
    stated = entries[description].decode()
    # Gradle writes the version into it, too; the file in the tree has none.
    entries[description] = stated.replace(
        "<id>", f"<version>{version()}</version>\n  <id>", 1
    ).encode()
    archive(target, entries)


def package() -> Path:
    """Write the plugin that PyCharm installs from disk, and return where it is."""
    target = ROOT / "dist" / f"gradpeek-pycharm-{version()}.zip"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        jar(folder / "gradpeek.jar")
        bundle = ROOT / "backend" / "bundle" / "bundle_backend.py"
        run(sys.executable, bundle, folder / "backend")
        entries = {
            "gradpeek/lib/gradpeek.jar": (folder / "gradpeek.jar").read_bytes(),
            "gradpeek/lib/gson.jar": GSON.resolve().read_bytes(),
            "gradpeek/LICENSE": (ROOT / "LICENSE").read_bytes(),
            **contents(folder / "backend", "gradpeek/backend/"),
        }
        archive(target, entries)
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("compile", "test", "package"))
    what = parser.parse_args().what
    if what == "compile":
        compiled()
    elif what == "test":
        test()
    else:
        sys.stdout.write(f"{package().relative_to(ROOT)}\n")
