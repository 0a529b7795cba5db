"""What this version can read and find. Written by the core."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class SliceKindItem(BaseModel):
    code: int = Field(description="The number that is stored.", examples=[6])
    name: str = Field(description="As lanes and links name it.", examples=["irqsoff"])
    lane: str = Field(description="Label of its lane.", examples=["irqs off"])
    title: str = Field(description="What one slice of it is.", examples=["Interrupts off"])
    colour: str = Field(
        description="What decides on a slice's colour: a colour of the palette, or what the slice names "
        "(`task`, `source`, `state`).",
        examples=["irqs_off"],
    )
    rows: list[str] = Field(
        description="Labels of its rows by depth, where depth says what a slice is about; empty where it "
        "says how slices nest.",
        examples=[[]],
    )
    begins: list[str] = Field(
        description="Events that begin its slices; none where it is no single event.",
        examples=[["irq_disable"]],
    )
    ends: list[str] = Field(description="Events that end its slices.", examples=[["irq_enable"]])


class ArrowKindItem(BaseModel):
    name: str = Field(description="As `kinds` names it.", examples=["wakeup"])
    title: str = Field(examples=["Wakeups"])
    forward: str = Field(
        description="What its beginning does, before the name of its end.", examples=["wakes"]
    )
    backward: str = Field(
        description="What its end is, before the name of its beginning.", examples=["woken by"]
    )
    events: list[str] = Field(
        description="The events that it needs.", examples=[["sched_waking", "sched_wakeup", "sched_switch"]]
    )


class AdviceItem(BaseModel):
    name: str = Field(examples=["equal_priority"])
    mechanism: str = Field(description="As chains name it.", examples=["equal_priority"])
    title: str = Field(examples=["Behind a task of the same real-time priority"])
    condition: str = Field(examples=["Both tasks have the same real-time priority."])
    meaning: str
    helps: str
    check: str = Field(description="How to see that it helped.")
    reference: str = Field(
        description="A page of the kernel's documentation, by its path in the kernel's source.",
        examples=["Documentation/core-api/real-time/theory.rst"],
    )


class ExportItem(BaseModel):
    name: str = Field(description="As `format=` has it.", examples=["perfetto"])
    title: str = Field(examples=["Perfetto"])
    reader: str = Field(description="What it holds, and who reads it.")
    extension: str = Field(examples=["perfetto-trace"])
    media_type: str = Field(examples=["application/octet-stream"])
    is_of_calls: bool = Field(description="It holds function calls and nothing else.")


class Catalog(BaseModel):
    model_config = ConfigDict(extra="allow")

    formats: list[dict[str, Any]] = Field(examples=[[{"name": "trace_dat", "title": "trace.dat"}]])
    diagnostics: list[dict[str, Any]] = Field(
        examples=[[{"code": "lost_events", "severity": "data_loss", "sentence": "", "remedy": ""}]]
    )
    analyses: list[dict[str, Any]]
    slice_kinds: list[SliceKindItem] = Field(
        description="Kinds of slices, in the order in which the lanes of a CPU are drawn."
    )
    arrows: list[ArrowKindItem] = Field(description="Kinds of arrows between events.")
    latencies: list[dict[str, Any]] = Field(
        description="Kinds of latency; `needs` are alternatives of events to record.",
        examples=[
            [
                {
                    "kind": "wakeup",
                    "title": "Wakeup latency",
                    "definition": "From sched_waking to the first sched_switch to the task.",
                    "note": "The first of two wakings counts.",
                    "subject": "task",
                    "key_name": None,
                    "lateness": "late",
                    "needs": [["sched_waking", "sched_switch"], ["sched_wakeup", "sched_switch"]],
                }
            ]
        ],
    )
    advice: list[AdviceItem] = Field(
        description="What usually helps against a mechanism, with the condition that has to be recorded."
    )
    exports: list[ExportItem] = Field(description="Formats of other tools that a trace can be had in.")
