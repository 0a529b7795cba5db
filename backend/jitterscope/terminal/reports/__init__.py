"""Results of checks as other programs read them: a module each, and a name here."""

import importlib
from collections.abc import Sequence

from jitterscope.terminal.reports.result import CheckedFile

# Each is a function in the module of its name; only the one that is asked for is loaded.
REPORTS = ("github", "junit", "kcidb", "lava", "markdown", "tap")
# Those that name the build that was tested.
OF_BUILDS = {"kcidb"}
# Those that show how the worst case of a broken limit went by.
DRAWING = {"github", "markdown"}


def report_of(name: str, files: Sequence[CheckedFile], build_id: str | None = None) -> str:
    """The report of that name; of a build, where it names one."""
    module = importlib.import_module(f"jitterscope.terminal.reports.{name}")
    about = [build_id] if name in OF_BUILDS else []
    report: str = getattr(module, name)(files, *about)
    return report
