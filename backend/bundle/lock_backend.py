"""Pins what the bundled language server imports, with hashes: `make lock`.

Takes the dependencies of the installed gradpeek but for those of the command line, and resolves
them for the oldest Python that starts the server, so with the backports that it needs. Needs uv.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import requires

from bundle_backend import LOCK, OLDEST

ONLY_FOR_THE_COMMAND_LINE = {"click", "debugpy", "rich"}
HEADER = "# Written by `make lock` from the dependencies in pyproject.toml; never edited by hand.\n"


def served() -> list[str]:
    """Requirements of the language server, as pyproject.toml has them."""
    needs = (need for need in requires("gradpeek") or () if "extra ==" not in need)
    return [
        need for need in needs if re.split(r"[^\w.-]", need)[0] not in ONLY_FOR_THE_COMMAND_LINE
    ]


if __name__ == "__main__":
    uv = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header"]
    target = ["--python-version", OLDEST, "--only-binary", ":all:", "--generate-hashes", "-"]
    done = subprocess.run(  # noqa: S603
        [*uv, *target], input="\n".join(served()), stdout=subprocess.PIPE, text=True, check=True
    )
    LOCK.write_text(HEADER + done.stdout, encoding="utf-8")
