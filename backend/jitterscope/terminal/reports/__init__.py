"""Results of checks as other programs read them: a module each, and a name here."""

import importlib
from collections.abc import Sequence

from jitterscope.terminal.reports.result import CheckedFile

# Each is a function in the module of its name; only the one that is asked for is loaded.
REPORTS = ("github", "junit", "lava", "markdown", "tap")


def report_of(name: str, files: Sequence[CheckedFile]) -> str:
    """The report of that name."""
    module = importlib.import_module(f"jitterscope.terminal.reports.{name}")
    report: str = getattr(module, name)(files)
    return report
