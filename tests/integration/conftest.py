"""What the tests of the language server debug."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.relayed import TRAINER


@pytest.fixture
def trainer(tmp_path: Path) -> Path:
    """A script that stops once in each of four steps of training."""
    script = tmp_path / "trainer.py"
    script.write_text(TRAINER)
    return script
