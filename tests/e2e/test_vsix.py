"""The package of the VS Code extension: what is in it beside the server."""

from __future__ import annotations

import json
import re
import zipfile

import pytest

from gradpeek import __version__
from support.packages import ROOT, VSIX


@pytest.fixture(scope="session")
def package() -> zipfile.ZipFile:
    return VSIX.opened()


def test_the_package_is_for_all_platforms_and_has_the_version_of_the_backend(
    package: zipfile.ZipFile,
) -> None:
    manifest = package.read("extension.vsixmanifest").decode()
    identity = re.search(r"<Identity [^>]*>", manifest)
    assert identity is not None
    assert f'Version="{__version__}"' in identity[0]
    assert "TargetPlatform" not in identity[0]
    assert json.loads(package.read("extension/package.json"))["version"] == __version__


def test_the_package_says_under_which_licence_each_part_is(package: zipfile.ZipFile) -> None:
    assert package.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()
    bundled = package.read("extension/dist/notices.txt").decode()
    for name in json.loads(package.read("extension/package.json"))["dependencies"]:
        assert f"\n{name} " in bundled
