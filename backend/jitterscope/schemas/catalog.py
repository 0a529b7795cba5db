"""What this version can read and find. Written by the core."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Catalog(BaseModel):
    model_config = ConfigDict(extra="allow")

    formats: list[dict[str, Any]] = Field(examples=[[{"name": "trace_dat", "title": "trace.dat"}]])
    diagnostics: list[dict[str, Any]] = Field(
        examples=[[{"code": "lost_events", "severity": "data_loss", "sentence": "", "remedy": ""}]]
    )
    analyses: list[dict[str, Any]]
    slice_kinds: list[dict[str, Any]]
    latencies: list[dict[str, Any]] = Field(
        description="Kinds of latency; `needs` are alternatives of events to record.",
        examples=[
            [
                {
                    "kind": "wakeup",
                    "title": "Wakeup latency",
                    "definition": "From sched_waking to the first sched_switch to the task.",
                    "key_name": None,
                    "needs": [["sched_waking", "sched_switch"], ["sched_wakeup", "sched_switch"]],
                }
            ]
        ],
    )
