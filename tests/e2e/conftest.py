"""What the tests of the command line run: a script of their own, and processes that must end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command_line import watched


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Where a test may write its program."""
    return tmp_path / "train.py"


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """That of the processes of a test, none of which may outlive it."""
    with watched() as environment:
        yield environment
