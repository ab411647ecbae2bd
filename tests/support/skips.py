"""Where the variable CI is set, a skipped test fails the run: load with `-p support.skips`."""

from __future__ import annotations

import os

import pytest

_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember why a test was skipped; an expected failure is none."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        _skipped.append(f"{report.nodeid}: {reason}")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Remember files that skip themselves as a whole."""
    if report.skipped:
        _skipped.append(f"{report.nodeid}: {report.longrepr}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run."""
    is_worker = hasattr(session.config, "workerinput")
    if _skipped and os.environ.get("CI") and not is_worker and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were skipped, and why."""
    if _skipped and os.environ.get("CI"):
        terminalreporter.section("skipped, which fails the run in CI")
        for line in _skipped:
            terminalreporter.write_line(line)
