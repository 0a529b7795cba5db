"""Where each table lives when the schema is spread over several PostgreSQL servers.

Distributed tables have the trace's key first in every unique key and no foreign key, so that one
trace's rows can live together on any server. A test holds every table against this list.
"""

DISTRIBUTED = (
    "calltree_block",
    "counter",
    "counter_block",
    "diagnostic",
    "diagnostic_line",
    "event_block",
    "event_field",
    "event_type",
    "function_stat",
    "interference",
    "latency_case",
    "latency_explanation",
    "latency_incomplete",
    "latency_kind",
    "latency_summary",
    "latency_tail",
    "latency_tail_part",
    "latency_task",
    "loss",
    "note",
    "rollup_block",
    "sample_block",
    "slice_block",
    "stack",
    "symbol",
    "task",
    "trace_missing",
)

REFERENCE = ("label", "slice_kind", "trace")

LOCAL = (
    "alembic_version",
    "baseline",
    "experiment",
    "idempotency_key",
    "procrastinate_events",
    "procrastinate_jobs",
    "procrastinate_periodic_defers",
    "procrastinate_workers",
    "tombstone",
)
