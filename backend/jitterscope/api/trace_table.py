"""Traces as rows of a CSV file."""

from collections.abc import Iterable, Sequence

from jitterscope.api.csv_text import csv_text
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


def csv_head() -> str:
    """The names of the columns, as RFC 4180 text."""
    return csv_text([_HEAD])


def csv_rows(traces: Iterable[TraceAnswer]) -> str:
    """A line for each trace; text that a spreadsheet would run has an apostrophe before it."""
    return csv_text([_cells(trace) for trace in traces])


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
