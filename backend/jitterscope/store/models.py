"""The tables whose rows are read and written one by one. Block tables only ever move as COPY streams."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Computed, Identity, Integer, SmallInteger, Text, func
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# The shape of a JSON object is fixed by its writer: the core for facts and missing.
JsonObject = dict[str, Any]


class TraceStatus(StrEnum):
    QUEUED = "queued"
    PARSING = "parsing"
    ANALYSING = "analysing"
    READY = "ready"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        return self in (TraceStatus.READY, TraceStatus.FAILED)


class Row(DeclarativeBase):
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy reads it from the class)
        str: Text,
        int: BigInteger,
        datetime: TIMESTAMP(timezone=True),
        JsonObject: JSONB,
        list[int]: ARRAY(Integer),
        list[JsonObject]: JSONB,
        TraceStatus: Text,
    }


class Trace(Row):
    """One uploaded recording. What is read from the file is null until it is `ready`."""

    __tablename__ = "trace"

    key: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    id: Mapped[str]
    sha256: Mapped[str]
    filename: Mapped[str]
    name: Mapped[str]
    status: Mapped[str] = mapped_column(default=TraceStatus.QUEUED)
    stage: Mapped[str | None]
    progress: Mapped[float] = mapped_column(default=0.0)
    bytes_done: Mapped[int] = mapped_column(default=0)
    bytes_total: Mapped[int] = mapped_column(default=0)
    # Counts claims by workers; it fences the writes of one that was thought dead.
    attempt: Mapped[int] = mapped_column(Integer, default=0)
    crash_count: Mapped[int] = mapped_column(Integer, default=0)
    # Attempts that found no file or could not read it; another machine may have it, or this one be mended.
    missing_count: Mapped[int] = mapped_column(Integer, default=0)
    format: Mapped[str | None]
    tracer: Mapped[str | None]
    kernel: Mapped[str | None]
    clock: Mapped[str | None]
    time_unit: Mapped[str | None]
    time_origin: Mapped[str | None]
    cpus: Mapped[list[int] | None]
    cpu_count: Mapped[int | None] = mapped_column(Integer)
    origin_ns: Mapped[int | None]
    duration_ns: Mapped[int | None]
    event_count: Mapped[int | None]
    buffers: Mapped[list[JsonObject] | None]
    call_count: Mapped[int | None]
    slice_count: Mapped[int | None]
    lost_events: Mapped[int | None]
    size_bytes: Mapped[int]
    expanded_bytes: Mapped[int | None]
    used_bytes: Mapped[int | None]
    skipped_bytes: Mapped[int | None]
    facts: Mapped[JsonObject | None]
    error: Mapped[JsonObject | None]
    parser_version: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ready_at: Mapped[datetime | None]
    # Its labels as `name:value`, one a line, for the search; it is set with the labels.
    label_text: Mapped[str] = mapped_column(default="")
    # -1 for one without a case, which sorts below all others.
    worst_duration_ns: Mapped[int] = mapped_column(default=-1)
    # The sentence of that case, for the search.
    worst_text: Mapped[str] = mapped_column(default="", deferred=True)
    search_text: Mapped[str] = mapped_column(Computed(""), deferred=True)


class TraceMissing(Row):
    """What of a `ready` trace cannot be shown, and the events that were not recorded for it."""

    __tablename__ = "trace_missing"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    missing: Mapped[JsonObject]


class Label(Row):
    __tablename__ = "label"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class IdempotencyKey(Row):
    """The upload that a client's `Idempotency-Key` was first sent with."""

    __tablename__ = "idempotency_key"

    key: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Tombstone(Row):
    """A content whose trace was deleted here: its file is not taken in again, and may be removed."""

    __tablename__ = "tombstone"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    deleted_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SavedRow(Row):
    """What people saved under a name."""

    __abstract__ = True

    slug: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    note: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Experiment(SavedRow):
    """A saved comparison: what `POST /compare` takes, and how the page shows it."""

    __tablename__ = "experiment"

    comparison: Mapped[JsonObject]
    view: Mapped[JsonObject]


class Baseline(SavedRow):
    """Traces that others are compared with: ids or labels, and which of their samples."""

    __tablename__ = "baseline"

    variant: Mapped[JsonObject]
    where: Mapped[JsonObject]


class Diagnostic(Row):
    """The problems of one kind in a trace, counted."""

    __tablename__ = "diagnostic"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    severity: Mapped[str]
    count: Mapped[int]
    first_line: Mapped[int | None]
    first_byte_offset: Mapped[int]
    sample: Mapped[str]


class DiagnosticLine(Row):
    """One problem that was kept with its place."""

    __tablename__ = "diagnostic_line"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    idx: Mapped[int] = mapped_column(Integer, primary_key=True)
    code: Mapped[str]
    line: Mapped[int | None]
    byte_offset: Mapped[int]
    sample: Mapped[str]


class EventType(Row):
    """What kind of record events are, with how many of them there are."""

    __tablename__ = "event_type"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    idx: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str]
    kind: Mapped[str]
    system: Mapped[str | None]
    event_count: Mapped[int]


class EventField(Row):
    """A field of a type of events that holds a number."""

    __tablename__ = "event_field"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    idx: Mapped[int] = mapped_column(Integer, primary_key=True)
    type: Mapped[int] = mapped_column(SmallInteger)
    name: Mapped[str]
    unit_ns: Mapped[int | None]
    unit_source: Mapped[str | None]
    is_sampled: Mapped[int] = mapped_column(SmallInteger)


class Loss(Row):
    """A stretch in which events were lost."""

    __tablename__ = "loss"

    trace_key: Mapped[int] = mapped_column(primary_key=True)
    idx: Mapped[int] = mapped_column(Integer, primary_key=True)
    cpu: Mapped[int | None] = mapped_column(SmallInteger)
    start_ns: Mapped[int]
    end_ns: Mapped[int]
    lost_count: Mapped[int | None]
