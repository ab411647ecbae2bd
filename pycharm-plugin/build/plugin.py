"""Builds the PyCharm plugin where no Gradle and no IDE can be had: plugin.py compile|test|package.

Needs JDK 17 or later, the packages of `npm ci`, and Debian's `libgoogle-gson-java`; `test` also
`junit5`, and a Python with GradPeek and torch: the one that GRADPEEK_PYTHON names, else the one
that runs this.
"""

from __future__ import annotations

import argparse
import sys

from compiling import ROOT, compiled_tests
from packing import package
from testing import test

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("compile", "test", "package"))
    parser.add_argument(
        "--include-classname", default=".*", help="of the tests, only classes with such names"
    )
    chosen = parser.parse_args()
    if chosen.what == "compile":
        compiled_tests()
    elif chosen.what == "test":
        test(chosen.include_classname)
    else:
        sys.stdout.write(f"{package().relative_to(ROOT)}\n")
