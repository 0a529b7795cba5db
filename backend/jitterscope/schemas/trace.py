"""Traces as the API shows them."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.schemas.latency_case import CaseStage
from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.text import Name
from jitterscope.store.labels import LabelName, LabelValue

Status = Literal["queued", "parsing", "analysing", "ready", "failed"]


class TraceWarning(Answer):
    """The problems of one kind that were met while reading the file."""

    code: str = Field(examples=["lost_events"])
    severity: str = Field(description="info or data_loss", examples=["data_loss"])
    count: int = Field(examples=[12345])
    first_line: int | None = Field(examples=[14])
    first_byte_offset: int = Field(examples=[1021])
    sample: str = Field(
        description="The text at that place, escaped.", examples=["CPU:1 [LOST 12345 EVENTS]"]
    )
    sentence: str = Field(examples=["The kernel overwrote events before they were read."])
    remedy: str = Field(examples=["Record with a larger buffer (trace-cmd record -b) or fewer events."])


class TraceError(Answer):
    """Why a trace is `failed`."""

    code: str = Field(examples=["checksum_mismatch"])
    error_class: str = Field(
        alias="class", description="unsupported, corrupt, truncated, limit, io or crash", examples=["corrupt"]
    )
    sentence: str = Field(examples=["The checksum of the compressed file does not fit its data."])
    line: int | None = None
    byte_offset: int | None = Field(None, examples=[481])
    excerpt: str = ""
    remedy: str = Field("", examples=["Copy it again; it was damaged on the way."])


class RulerStretch(Answer):
    start_ns: int = Field(examples=[996_000])
    duration_ns: int = Field(examples=[13_000])


class TraceRuler(Answer):
    """The way of a case in proportion to time."""

    stages: list[CaseStage] = Field(description="They add up to the case.")
    late: list[RulerStretch] = Field(
        description="What took most of it, in the order of time; empty where nothing but its stages is known."
    )


class TraceWorst(Answer):
    """The longest latency of the kinds that say the most.

    These are what a thread measured (`cyclic`, `timerlat`), else what else was late, else what took long.
    Tasks that the recording is about come before others.
    """

    id: str | None = Field(
        description="The case's id, for `latencies/{case}`; null where it could not be explained.",
        examples=["cyclic-1213@2563695119000"],
    )
    kind: str = Field(examples=["cyclic"])
    duration_ns: int = Field(examples=[18_551])
    cpu: int = Field(description="The CPU on which it ended.", examples=[1])
    headline: str | None = Field(
        description="The first sentence of its explanation.",
        examples=["cyclictest-1213 on CPU 1 woke 18.6 µs late"],
    )
    ruler: TraceRuler | None = Field(
        description="Null for kinds without stages, and of traces that an older version loaded."
    )


class TraceBuffer(Answer):
    """A trace instance, or the top buffer, and what was recorded in it."""

    name: str | None = Field(description="Null for the top buffer.", examples=["rt"])
    event_count: int = Field(examples=[55_700])


class TraceAnswer(Answer):
    """One uploaded recording. What is read from the file is null until `status` is ready."""

    id: str = Field(
        description="Made from the content: the same file has the same id everywhere.",
        examples=["gq3tqmzqmjrd"],
    )
    name: str = Field(examples=["cyclictest-load-6.12-rt"])
    filename: str = Field(examples=["cyclictest-load-6.12-rt.dat"])
    labels: dict[str, str] = Field(examples=[{"board": "qemu", "kernel": "6.12-rt"}])
    status: Status = Field(examples=["ready"])
    stage: str | None = Field(description="parsing, analysing or storing, while it is loaded.")
    progress: float = Field(ge=0, le=1, description="Share of the file that has been read.", examples=[1.0])
    format: str | None = Field(examples=["trace_dat"])
    is_measurement: bool = Field(
        description="Whether it is a file of what another program measured, and no trace.", examples=[False]
    )
    tracer: str | None = Field(examples=["nop"])
    kernel: str | None = Field(examples=["6.12.95-rt-amd64"])
    clock: str | None = Field(examples=["local"])
    time_unit: str | None = Field(
        description="ns, or ticks of a clock that counts no seconds", examples=["ns"]
    )
    time_origin: str | None = Field(
        description="recorded, or derived from durations where the file has no stamps", examples=["recorded"]
    )
    cpus: list[int] | None = Field(description="The CPUs that recorded something.", examples=[[0, 1]])
    cpu_count: int | None = Field(examples=[2])
    origin_ns: str | None = Field(
        description="Stamp of the first record on the trace's clock, as a decimal string.",
        examples=["166720121000"],
    )
    duration_ns: int | None = Field(examples=[2_160_000_000])
    event_count: int | None = Field(examples=[122_519])
    buffers: list[TraceBuffer] = Field(
        description="The buffers that events come from; empty where there is only the top one.", examples=[[]]
    )
    call_count: int | None = Field(examples=[0])
    slice_count: int | None = Field(examples=[48_211])
    lost_events: int | None = Field(examples=[0])
    losses_total: int = Field(description="In how many places events were lost.", examples=[0])
    size_bytes: int = Field(examples=[1_048_576])
    expanded_bytes: int | None = Field(examples=[8_388_608])
    used_bytes: int | None = Field(examples=[8_388_608])
    skipped_bytes: int | None = Field(examples=[0])
    facts: dict[str, Any]  # what the file says about itself, as it says it
    missing: dict[str, list[str]] = Field(  # written by the core
        description="By analysis: the events that were not recorded and that it needs."
    )
    warnings: list[TraceWarning]
    error: TraceError | None
    parser_version: str | None = Field(examples=["0.1.0"])
    sha256: str = Field(examples=["9b0479366df56ad23e0175ce3f771a5a42aaf3930df3ebb2dee1a63fe91c93dc"])
    worst: TraceWorst | None
    url: str = Field(description="The permalink.", examples=["http://127.0.0.1:8000/t/gq3tqmzqmjrd"])
    created_at: datetime
    ready_at: datetime | None


class TracePage(Answer):
    items: list[TraceAnswer]
    next: str | None = Field(description="Pass it as `cursor` for the next page; null on the last.")


class CatalogFilter(QueryModel):
    label: list[str] = Field(
        default_factory=list,
        max_length=16,
        description="`name:value`, or only a name; several must all hold.",
        examples=[["kernel:6.12-rt"]],
    )
    q: str = Field(
        "",
        max_length=200,
        description="Words that occur in the name, kernel, tracer, labels or the sentence of the worst case.",
    )


class TraceListQuery(CatalogFilter):
    sort: str = Field(
        "-created_at",
        description="A field of the trace, `worst` for the length of the worst case, or `record_count` for "
        "events and calls together; `-` before it for descending.",
    )
    limit: int = Field(50, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=1000)


class TraceQuery(QueryModel):
    wait: float = Field(
        0, ge=0, description="Seconds to hold the answer until the state is final.", examples=[30]
    )


class TracePatch(BaseModel):
    """What to change. A label that is null is removed; labels that are not named stay."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name | None = None
    labels: dict[LabelName, LabelValue | None] = Field(
        default_factory=dict, max_length=64, examples=[{"board": "rpi5", "old": None}]
    )
