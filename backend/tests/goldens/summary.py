"""What a loaded trace holds, as text that a person can read and a diff can show."""

from collections.abc import Iterator
from typing import Any

import psycopg

MOST_ROWS = 25

FACTS = (
    *("format", "tracer", "kernel", "clock", "time_unit", "time_origin", "origin_ns", "duration_ns", "cpus"),
    *("event_count", "call_count", "slice_count", "lost_events"),
    *("used_bytes", "skipped_bytes", "expanded_bytes"),
)

EVENT_TYPES = """
SELECT name, kind, event_count FROM event_type WHERE trace_key = %(trace)s ORDER BY event_count DESC, name
"""
TASKS = """
SELECT comm, coalesce(pid::text, '?'), cpu, event_count FROM task
WHERE trace_key = %(trace)s ORDER BY event_count DESC, comm, pid, cpu
"""
SLICES = """
SELECT kind, count(*), sum(duration_ns), max(duration_ns) FROM slice
WHERE trace_key = %(trace)s GROUP BY kind ORDER BY kind
"""
FUNCTIONS = """
SELECT s.name, f.count, f.total_ns, f.self_ns, f.p50_ns, f.max_ns
FROM function_stat f JOIN symbol s ON s.trace_key = f.trace_key AND s.idx = f.symbol
WHERE f.trace_key = %(trace)s ORDER BY f.total_ns DESC, s.name
"""
LATENCIES = """
SELECT k.name, k.count, k.min_ns, k.total_ns, c.duration_ns, 'at ' || c.start_ns, 'CPU ' || c.cpu, t.comm,
       s.name
FROM latency_kind k
JOIN latency_case c ON c.trace_key = k.trace_key AND c.kind = k.kind AND c.rank = 0
LEFT JOIN task t ON t.trace_key = c.trace_key AND t.idx = c.task
LEFT JOIN symbol s ON s.trace_key = c.trace_key AND s.idx = c.symbol
WHERE k.trace_key = %(trace)s ORDER BY k.kind
"""
INCOMPLETE = """
SELECT kind, reason, count FROM latency_incomplete WHERE trace_key = %(trace)s ORDER BY kind, reason
"""
COUNTERS = """
SELECT c.name, b.count FROM counter c
JOIN LATERAL (
    SELECT count(*) FROM counter_block k, unnest(k.counter) AS used
    WHERE k.trace_key = c.trace_key AND used = c.idx
) b ON true
WHERE c.trace_key = %(trace)s ORDER BY c.name
"""
OTHERS = """
SELECT 'losses', count(*) FROM loss WHERE trace_key = %(trace)s
UNION ALL SELECT 'notes', count(*) FROM note WHERE trace_key = %(trace)s
UNION ALL SELECT 'stacks', count(*) FROM stack WHERE trace_key = %(trace)s
"""

TABLES = (
    ("event types: name, kind, events", EVENT_TYPES),
    ("tasks: comm, pid, cpu of an idle task, events", TASKS),
    ("slices: kind, count, total ns, longest ns", SLICES),
    ("latencies: kind, samples, shortest ns, total ns, longest ns, where, who, key", LATENCIES),
    ("latencies without a number: kind, reason, times", INCOMPLETE),
    ("functions: name, calls, total ns, self ns, median ns, longest ns", FUNCTIONS),
    ("counters: name, values", COUNTERS),
    ("also", OTHERS),
)


def summary_lines(trace: dict[str, Any], connection: psycopg.Connection) -> Iterator[str]:
    """The summary of one trace: `trace` is the API's object of it. No ids, no clocks of today."""
    for name in FACTS:
        yield f"{name}: {trace[name]}"
    yield from (f"fact {name}: {value}" for name, value in sorted(trace["facts"].items()))
    yield from (
        f"missing for {name}: {', '.join(events)}" for name, events in sorted(trace["missing"].items())
    )
    for warning in trace["warnings"]:
        yield f"warning {warning['code']}: {warning['count']}, first on line {warning['first_line']}"
    key = {"trace": _key_of(trace["id"], connection)}
    for title, query in TABLES:
        rows = connection.execute(query.encode(), key).fetchall()
        if rows:
            yield ""
            yield title
            yield from (f"  {_row_text(row)}" for row in rows[:MOST_ROWS])
        if len(rows) > MOST_ROWS:
            yield f"  and {len(rows) - MOST_ROWS} more"


def _key_of(trace_id: str, connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT key FROM trace WHERE id = %s", (trace_id,)).fetchone()
    assert row is not None
    key: int = row[0]
    return key


def _row_text(row: tuple[object, ...]) -> str:
    return "  ".join("-" if cell is None else str(cell) for cell in row)
