"""Events one by one."""

from typing import Any, Literal

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import EventFilter, ListQuery


class EventsQuery(EventFilter, ListQuery):
    at: str | None = Field(
        None,
        max_length=64,
        description="Begin at this stamp of the trace clock, as the file prints it; in place of `start`.",
        examples=["14372.732649"],
    )
    order: Literal["asc", "desc"] | None = Field(None, description="In time; `asc` is the default.")
    limit: int = Field(100, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=1000)


class EventItem(Answer):
    seq: int = Field(description="Number in the trace, from 0.", examples=[42])
    t: int = Field(examples=[4_500])
    cpu: int = Field(examples=[1])
    buffer: str | None = Field(
        description="The trace instance that recorded it; null for the top buffer.", examples=[None]
    )
    pid: int | None = Field(examples=[1213])
    comm: str | None = Field(examples=["cyclictest"])
    event: str = Field(examples=["sched_switch"])
    flags: dict[str, Any] | None = Field(examples=[{"irqs_off": True, "preempt_depth": 2}])
    args: dict[str, Any] = Field(examples=[{"next_pid": 1213}])
    raw: str = Field(description="The printed arguments.")


class EventPage(Answer):
    """A page may be short, even empty, and still have a next one: a rare match takes time to find."""

    items: list[EventItem]
    next: str | None
