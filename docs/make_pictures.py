"""Draws docs/images/cifar10.svg: what `gradpeek run` prints for examples/cifar10_cnn.py.

Runs the example under the real command line and keeps its output as it is, but for the number of
the process. Needs the extra `examples`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = "cifar10_cnn.py"
PICTURE = ROOT / "docs" / "images" / "cifar10.svg"
WIDTH = 92


def main() -> None:
    """Run, draw, write."""
    lines = (ROOT / "examples" / EXAMPLE).read_text("utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "# @bp after backward" in text)
    arguments = ["--break", f"{EXAMPLE}:{line}", "--show", "model", EXAMPLE]
    ended = subprocess.run(
        [sys.executable, "-m", "gradpeek", "run", "--python", sys.executable, *arguments],
        cwd=ROOT / "examples",
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    console = Console(record=True, width=WIDTH, file=StringIO())
    console.print(Text(f"$ gradpeek run {' '.join(arguments)}", style="bold"), soft_wrap=True)
    shown = re.sub(r"process \d+", "process 4711", ended.stdout)
    for text in Text.from_ansi(shown).split("\n"):
        console.print(text, soft_wrap=True)
    svg = console.export_svg(title="gradpeek", unique_id="gradpeek")
    # The picture stands alone: no font is fetched from another server.
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg).replace("Fira Code", "DejaVu Sans Mono")
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n", "utf-8")


if __name__ == "__main__":
    main()
