"""The types of the recorded events."""

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel


class EventTypesQuery(QueryModel):
    limit: int = Field(100, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=100)


class EventTypeItem(Answer):
    name: str = Field(examples=["sched_switch"])
    system: str | None = Field(
        description="Null where the file does not say it; text does not.", examples=["sched"]
    )
    kind: str = Field(
        description="tracepoint, print (trace_marker), bprint (trace_printk), function, tracer, "
        "measurement, unknown.",
        examples=["tracepoint"],
    )
    event_count: int = Field(examples=[12345])


class EventTypePage(Answer):
    """The types that occur, the most frequent first."""

    items: list[EventTypeItem]
    next: str | None
