"""Rows as CSV that a spreadsheet may open."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# Spreadsheets run what begins like a formula, and names come from untrusted files.
_FORMULA = re.compile("[=+@\t\r-]")


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """RFC 4180 text; a cell that a spreadsheet would run has an apostrophe before it."""
    written = io.StringIO()
    csv.writer(written).writerows([_safe(cell) for cell in row] for row in rows)
    return written.getvalue()


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
