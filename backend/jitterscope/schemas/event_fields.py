"""The fields of the recorded events that hold numbers."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel

Unit = Literal["ns", "us", "ms", "s", "none"]


class EventFieldsQuery(QueryModel):
    event: str | None = Field(
        None,
        max_length=512,
        description="Name of a type of events; all if absent.",
        examples=["sched_switch"],
    )
    limit: int = Field(100, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=100)


class EventFieldItem(Answer):
    """A field that holds a number in the first events of its type."""

    name: str = Field(
        description="`<event>.<field>`, as the parameter `field` of latencies takes it.",
        examples=["hrtimer_cb.delta"],
    )
    event: str = Field(examples=["hrtimer_cb"])
    field: str = Field(examples=["delta"])
    unit: Unit = Field(
        description="What the text of the events says of it; `none` is a bare number, or a point in time.",
        examples=["us"],
    )
    unit_source: Literal["value", "name", "event", "none"] = Field(
        description="Where the unit is given: after the value, at the end of the field's name, or after "
        "another field of the event.",
        examples=["event"],
    )
    is_sampled: bool = Field(
        description="Found to be a duration when the trace was loaded: it counts to the kind `field`.",
        examples=[True],
    )
    event_count: int = Field(description="Events of the type.", examples=[1200])


class EventFieldPage(Answer):
    """Those of the most frequent type first, and of one type in the order in which it prints them."""

    items: list[EventFieldItem]
    next: str | None
