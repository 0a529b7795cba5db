"""Parameters and columns that the calls about a window of a trace share."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from jitterscope.schemas.model import Answer, QueryModel

_TIME = (
    "Integer nanoseconds from the trace's first record, a duration (`1.5ms`), or a stamp as the file prints "
    "it (`14372.732649`)."
)


class WindowQuery(QueryModel):
    """A half-open window; without ends it is the whole trace. The core checks the values."""

    start: str | None = Field(None, max_length=64, description=_TIME, examples=["0"])
    end: str | None = Field(None, max_length=64, description=_TIME, examples=["1.5ms"])


# One type for every call that is answered for a screen.
PixelWidth = Annotated[
    int | None, Field(ge=2, le=5000, description="Pixels; 1600 if absent.", examples=[1600])
]


class EventFilter(WindowQuery):
    """The events of a window that match all of these."""

    cpu: str | None = Field(None, max_length=4_000, description="CPUs, separated by commas.")
    event: str | None = Field(None, max_length=4_000, description="Names of events, separated by commas.")
    pid: str | None = Field(None, max_length=4_000, description="Pids, separated by commas.")
    comm: str | None = Field(None, max_length=512, description="Name of the task.")
    q: str | None = Field(
        None,
        max_length=200,
        description="Filter language of the search box.",
        examples=["event:sched_switch next_pid=1213 t>5ms"],
    )


class ListQuery(QueryModel):
    """A list that can be had as a whole, too."""

    format: Literal["json", "csv", "ndjson", "arrow", "parquet"] | None = Field(
        None,
        description="Those but `json` have all rows instead of a page, and no `limit`. Their media types in "
        "`Accept` do the same.",
        examples=["ndjson"],
    )


class TaskName(Answer):
    pid: int | None = Field(examples=[1213])
    comm: str = Field(examples=["cyclictest"])
    cpu: int | None = Field(None, description="Of an idle task, of which every CPU has one.")


class LaneColumns(Answer):
    """Slices, or buckets where there are more slices than can be shown, as columns of equal length.

    A column in which all rows would be null is left out. Bucket number `n` begins at `n * bucket_ns`; the
    window cuts the first and the last. `bucket_step` is by how much the number of each exceeds that of the
    one before, and of the first the number itself. The task, the symbol and the call of a bucket are those of
    the longest slice that touches it. Empty buckets are left out.
    """

    # The core leaves out the columns that a lane does not have.
    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    detail: str = Field(description="slices or buckets", examples=["slices"])
    t: list[int] | None = Field(None, description="Of slices: start.", examples=[[0, 4_500]])
    duration_ns: list[int] | None = Field(None, description="Of slices.", examples=[[1_500, 800]])
    bucket_ns: int | None = Field(None, description="Of buckets: length of each.", examples=[1_000])
    bucket_step: list[int] | None = Field(
        None,
        description="Of buckets: how many bucket lengths after the start of the one before each begins.",
        examples=[[1_204, 1, 3]],
    )
    task_idx: list[int | None] | None = Field(None, description="Index into `tasks` of the same answer.")
    symbol_idx: list[int | None] | None = Field(None, description="Index into `symbols` of the same answer.")
    self_ns: list[int] | None = Field(
        None, description="Of slices: duration without nested slices; absent where none of them has any."
    )
    count: list[int] | None = Field(None, description="Slices that start in the bucket.")
    busy_ns: list[int] | None = Field(None, description="Time in the bucket that slices cover.")
    max_ns: list[int] | None = Field(None, description="Duration of the longest slice that touches it.")
    max_offset_ns: list[int] | None = Field(
        None,
        description="Start of that slice after `bucket number * bucket_ns`; negative if it began before.",
    )
    call_id: list[str] | None = Field(None, description="Public ids of calls.")
    flags: list[int] | None = Field(
        None,
        description="Where any has one: 1 began before the file, 2 cut at its end, 4 events were lost "
        "inside, 8 callees left out by hand, 16 in a hard interrupt, 64 calls before it and "
        "128 its last callees left out by hand.",
    )
