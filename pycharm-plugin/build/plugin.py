"""Builds the PyCharm plugin where no Gradle and no IDE can be had: plugin.py compile|test|package.

Needs JDK 17 or later, the packages of `npm ci`, and Debian's `libgoogle-gson-java`; `test` also
`junit5`, and a Python with GradPeek and torch: the one that GRADPEEK_PYTHON names, else the one
that runs this.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from compiling import ROOT, compiled_tests
from packing import package, version
from testing import test

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("compile", "test", "package"))
    parser.add_argument(
        "--include-classname", default=".*", help="of the tests, only classes with such names"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "dist" / f"gradpeek-pycharm-{version()}.zip",
        help="where the package is written",
    )
    chosen = parser.parse_args()
    if chosen.what == "compile":
        compiled_tests()
    elif chosen.what == "test":
        test(chosen.include_classname)
    else:
        package(chosen.output)
        size = chosen.output.stat().st_size
        sys.stdout.write(f"{chosen.output}: {size / 1e6:.2f} MB\n")
