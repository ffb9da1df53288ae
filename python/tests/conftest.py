"""The environment of the tests: the program that was built last, and this kernel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "python/wheel/data/share/jupyter"


def built_program() -> Path:
    """The program in `target` that is newer."""
    built = [ROOT / "target" / profile / "chainrule" for profile in ("release", "debug")]
    return max((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)


if "CHAINRULE" not in os.environ:
    os.environ["CHAINRULE"] = str(built_program())
sys.path.insert(0, str(ROOT / "python"))
os.environ["PYTHONPATH"] = str(ROOT / "python")
os.environ["JUPYTER_PATH"] = str(SHARED)
# The settings of the person who tests do not matter.
os.environ["XDG_CONFIG_HOME"] = os.devnull


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tells `.ci/run` which tests were skipped."""
    if path := os.environ.get("SKIPPED"):
        with open(path, "a", encoding="utf-8") as file:
            for report in terminalreporter.stats.get("skipped", []):
                print(f"{report.nodeid}: {report.longrepr[2]}", file=file)
