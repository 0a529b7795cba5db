"""Traces as rows of a CSV file."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from jitterscope.schemas.trace import TraceAnswer

_FACTS = (
    "id",
    "name",
    "filename",
    "status",
    "kernel",
    "tracer",
    "clock",
    "cpu_count",
    "duration_ns",
    "event_count",
    "call_count",
    "lost_events",
    "size_bytes",
    "sha256",
)
_HEAD = (
    *_FACTS,
    "created_at",
    "labels",
    "worst_kind",
    "worst_duration_ns",
    "worst_headline",
    "url",
    "raw_url",
)
# Spreadsheets run what begins like a formula, and names come from files of strangers.
_FORMULA = re.compile("[=+@\t\r-]")


def csv_head() -> str:
    """The names of the columns, as RFC 4180 text."""
    return _text([_HEAD])


def csv_rows(traces: Iterable[TraceAnswer]) -> str:
    """A line for each trace; text that a spreadsheet would run has an apostrophe before it."""
    return _text([_cells(trace) for trace in traces])


def _cells(trace: TraceAnswer) -> Sequence[object]:
    worst = trace.worst
    return (
        *(getattr(trace, name) for name in _FACTS),
        trace.created_at.isoformat(),
        " ".join(f"{name}={value}" for name, value in trace.labels.items()),
        *((None, None, None) if worst is None else (worst.kind, worst.duration_ns, worst.headline)),
        trace.url,
        trace.url.replace("/t/", "/api/v1/traces/") + "/raw",
    )


def _text(rows: Iterable[Sequence[object]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([_safe(cell) for cell in row] for row in rows)
    return written.getvalue()


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
