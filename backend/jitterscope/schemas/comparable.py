"""What a trace can be compared with."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.text import RememberedTraceId


class ComparableQuery(QueryModel):
    recent: list[RememberedTraceId] = Field(
        default_factory=list, max_length=50, description="Traces that were opened last, the last one first."
    )
    limit: int = Field(20, ge=1, le=100, description="The most traces.")


class ComparableTrace(Answer):
    """Another trace with latencies of the same kinds."""

    id: str = Field(examples=["s6aa6fnilfgj"])
    name: str = Field(examples=["sleep-10ms-load"])
    labels: dict[str, str] = Field(examples=[{"board": "rpi5", "load": "hackbench"}])
    likeness: Literal["label", "opened", "tracer"] = Field(
        description="`label`: all labels but one are the same; `opened`: it is one of `recent`; `tracer`: "
        "the same tracer wrote it in the same form."
    )
    label: str | None = Field(description="The label that differs, if it is one.", examples=["load"])


class ComparableTraces(Answer):
    labels: dict[str, str] = Field(
        description="Those of the trace itself.", examples=[{"board": "rpi5", "load": "none"}]
    )
    items: list[ComparableTrace] = Field(description="The most alike first.")
