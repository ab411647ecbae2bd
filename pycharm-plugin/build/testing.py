"""Runs the plugin's JUnit tests, and says what they cannot show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from compiling import OUT, PLUGIN, ROOT, TESTS, compiled_tests, files, made

UNCONFIRMED = "What only a real IDE can confirm"


def unconfirmed() -> str:
    """The section of the README on what no test here can show."""
    text = (PLUGIN / "README.md").read_text("utf-8")
    found = re.search(rf"^## {UNCONFIRMED}\n\n(.+?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].rstrip()


def counted(reports: Path) -> dict[str, int]:
    """How many tests there were, and how many of them failed, had errors or were skipped."""
    suite = ET.parse(reports / "TEST-junit-jupiter.xml").getroot()  # noqa: S314 - ours
    return {name: int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")}


def bundled() -> Path:
    """The folder with the language server, as the plugin brings it."""
    folder, sources = OUT / "backend", ROOT / "backend"
    bundle = sources / "bundle"
    beneath = files(bundle, ".py", ".txt") + files(sources / "gradpeek", ".py", ".json")
    made(folder, beneath, sys.executable, bundle / "bundle_backend.py", folder)
    return folder


def test(only: str) -> None:
    """Run the tests whose class has a name like `only`.

    A failed one, none at all, or in CI a skipped one, is the exit status.
    """
    tests, beneath = compiled_tests()
    reports = OUT / "reports"
    command = [
        *("java", "-ea", "-Djava.awt.headless=true", "-cp", ":".join(map(str, [tests, *beneath]))),
        *("org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--scan-classpath"),
        *(str(tests), "--details=none", "--disable-ansi-colors", "--fail-if-no-tests"),
        *(f"--include-classname={only}", f"--reports-dir={reports}"),
        "--config=junit.jupiter.execution.timeout.default=5 m",
    ]
    variables = {
        "GRADPEEK_PYTHON": os.environ.get("GRADPEEK_PYTHON", sys.executable),
        "GRADPEEK_TESTS": str(TESTS),
        "GRADPEEK_BACKEND": str(bundled()),
        "GRADPEEK_EXAMPLES": str(ROOT / "backend" / "protocol" / "examples" / "editor"),
    }
    # What they log is of use only where one fails.
    output, environment = subprocess.PIPE, {**os.environ, **variables}
    ran = subprocess.run(  # noqa: S603
        command, check=False, env=environment, stdout=output, stderr=subprocess.STDOUT, text=True
    )
    if ran.returncode:
        sys.stdout.write(ran.stdout)
        sys.exit(ran.returncode)
    counts = counted(reports)
    failed = counts["failures"] + counts["errors"]
    passed = counts["tests"] - failed - counts["skipped"]
    sys.stdout.write(
        f"PyCharm plugin: {passed} passed, {failed} failed, {counts['skipped']} skipped\n"
    )
    if counts["skipped"] and os.environ.get("CI"):
        sys.exit("a skipped test fails the run where CI is set")
    sys.stdout.write(f"\n=== {UNCONFIRMED} ===\n{unconfirmed()}\n")
