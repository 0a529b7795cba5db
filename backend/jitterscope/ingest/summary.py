"""What the core says about a whole recording, as columns of its trace."""

from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class ImportSummary(BaseModel):
    """The last frame of a successful import. Fields have the names of the trace's columns."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: str
    tracer: str | None = None
    kernel: str | None = None
    clock: str | None = None
    time_unit: str | None = None
    time_origin: str | None = None
    cpus: list[int] = Field(default_factory=list)
    cpu_count: int = 0
    # A decimal string on the wire: an absolute stamp does not fit a JSON number everywhere.
    origin_ns: int = 0
    duration_ns: int = 0
    event_count: int = 0
    buffers: list[dict[str, Any]] = Field(default_factory=list)  # shown as they are
    call_count: int = 0
    slice_count: int = 0
    lost_events: int = 0
    expanded_bytes: int = 0
    used_bytes: int = 0
    skipped_bytes: int = 0
    facts: dict[str, Any] = Field(default_factory=dict)  # shown as they are
    missing: dict[str, Any] = Field(default_factory=dict)  # shown as they are

    @property
    def preemption_model(self) -> str | None:
        """As the header of the file has it."""
        return self.facts.get("preemption_model")

    def columns(self) -> dict[str, Any]:  # Any: columns of several types
        return self.model_dump() | {"parser_version": version("jitterscope")}
