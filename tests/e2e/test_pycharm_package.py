"""The package of the PyCharm plugin: what is in it beside the server."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gradpeek import __version__
from support.packages import PYCHARM, ROOT

PLUGIN = ROOT / "pycharm-plugin"
RESOURCES = PLUGIN / "src" / "main" / "resources"
CLASSES = PLUGIN / "out" / "classes"
OLDEST_JAVA = 21
"""Class files of PyCharm 2025.1's runtime are of version 65; Java 17's are of version 61."""


@pytest.fixture(scope="session")
def package() -> zipfile.ZipFile:
    return PYCHARM.opened()


@pytest.fixture(scope="session")
def jar(package: zipfile.ZipFile) -> zipfile.ZipFile:
    """The plugin's own jar."""
    return zipfile.ZipFile(io.BytesIO(package.read("gradpeek/lib/gradpeek.jar")))


def test_the_package_is_one_folder_with_libraries_the_server_and_the_licences(
    package: zipfile.ZipFile,
) -> None:
    names = package.namelist()
    assert {name.split("/")[0] for name in names} == {"gradpeek"}
    beside = [name for name in names if not name.startswith(PYCHARM.bundled)]
    libraries = ["gradpeek/lib/gradpeek.jar", "gradpeek/lib/gson.jar"]
    assert beside == ["gradpeek/LICENSE", "gradpeek/NOTICES.txt", *libraries]
    assert package.read("gradpeek/LICENSE") == (ROOT / "LICENSE").read_bytes()


def test_the_notices_name_each_library_and_the_folder_of_the_server(
    package: zipfile.ZipFile,
) -> None:
    notices = package.read("gradpeek/NOTICES.txt").decode()
    assert "lib/gson*.jar\n    Gson, Copyright" in notices
    assert "\nbackend/\n" in notices
    gson = zipfile.ZipFile(io.BytesIO(package.read("gradpeek/lib/gson.jar")))
    classes = {name for name in gson.namelist() if name.endswith(".class")}
    assert classes
    assert {name for name in classes if not name.startswith("com/google/gson/")} <= {
        "module-info.class",
        "META-INF/versions/9/module-info.class",
    }


def test_the_jar_holds_our_classes_alone_and_all_resources(jar: zipfile.ZipFile) -> None:
    names = set(jar.namelist())
    classes = {name for name in names if name.endswith(".class")}
    assert "dev/gradpeek/GradPeek.class" in classes
    assert {name for name in classes if not name.startswith("dev/gradpeek/")} == set()
    stubs = {
        path.relative_to(PLUGIN / "stubs").with_suffix(".class").as_posix()
        for path in (PLUGIN / "stubs").rglob("*.java")
    }
    assert stubs
    assert classes & stubs == set()
    resources = {
        path.relative_to(RESOURCES).as_posix() for path in RESOURCES.rglob("*") if path.is_file()
    }
    assert resources <= names


def test_the_jar_is_of_the_sources_as_they_are(jar: zipfile.ZipFile) -> None:
    compiled = {
        path.relative_to(CLASSES).as_posix(): path.read_bytes()
        for path in CLASSES.rglob("*")
        if path.is_file()
    }
    stale = [name for name in compiled if jar.read(name) != compiled[name]]
    assert stale == [], "run `make pycharm-plugin`"
    for path in RESOURCES.rglob("*.properties"):
        assert jar.read(path.relative_to(RESOURCES).as_posix()) == path.read_bytes()


def test_every_class_loads_in_the_java_of_the_oldest_ide(jar: zipfile.ZipFile) -> None:
    versions = {
        int.from_bytes(jar.read(name)[6:8], "big") - 44
        for name in jar.namelist()
        if name.endswith(".class")
    }
    assert versions
    assert max(versions) <= OLDEST_JAVA


def test_plugin_xml_has_the_version_of_the_backend_and_is_else_that_of_the_sources(
    jar: zipfile.ZipFile,
) -> None:
    packed = jar.read("META-INF/plugin.xml").decode()
    root = ET.fromstring(packed)
    assert [element.text for element in root.findall("version")] == [__version__]
    without = re.sub(r"<version>[^<]*</version>\s*", "", packed)
    assert without == (RESOURCES / "META-INF" / "plugin.xml").read_text("utf-8")


def test_every_class_that_plugin_xml_names_is_in_the_jar(jar: zipfile.ZipFile) -> None:
    text = jar.read("META-INF/plugin.xml").decode()
    named = set(re.findall(r'"(dev\.gradpeek\.(?:\w+\.)*[A-Z][\w$]*)"', text))
    assert named
    missing = [name for name in named if name.replace(".", "/") + ".class" not in jar.namelist()]
    assert missing == []


def test_the_same_sources_give_the_same_bytes(package: zipfile.ZipFile, tmp_path: Path) -> None:
    assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    again = tmp_path / "again.zip"
    script = str(PLUGIN / "build" / "plugin.py")
    command = [sys.executable, script, "package", "--output", str(again)]
    subprocess.run(command, check=True, capture_output=True, timeout=150)
    assert again.read_bytes() == PYCHARM.path.read_bytes(), "run `make pycharm-plugin`"
