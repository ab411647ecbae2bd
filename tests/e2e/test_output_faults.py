"""A Python that cannot run the program, and output that cannot be written, are told in one line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from support.command_line import line, run
from support.programs import PLAIN, TRAINING


def test_a_python_that_cannot_run_the_program_is_named(script: Path, tmp_path: Path) -> None:
    shell = shutil.which("sh")
    ended = run(script, PLAIN, f"--python={shell}")
    assert re.search(rf"{shell} \(from --python\) is no Python 3 .* Check --python", line(ended))
    assert (ended.status, ended.stdout) == (4, "")
    ended = run(script, PLAIN, VIRTUAL_ENV=str(tmp_path / "gone"))
    assert "(from $VIRTUAL_ENV): No such file or directory. Name another with" in line(ended)
    assert (ended.status, ended.stdout) == (4, "")


def test_a_file_that_cannot_be_written_is_named_before_the_program_starts(
    script: Path, tmp_path: Path
) -> None:
    path = tmp_path / "gone" / "shown.txt"
    ended = run(script, PLAIN, f"--output={path}")
    assert line(ended).startswith(f"gradpeek: Cannot write {path}: No such file or directory.")
    assert (ended.status, ended.stdout) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(script: Path) -> None:
    ended = run(script, TRAINING, "@here", "--output=/dev/full")
    assert line(ended).startswith("gradpeek: Cannot write /dev/full: No space left on device.")
    assert ended.status == 2
