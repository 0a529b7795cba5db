"""What the parsing child writes to its pipe: `u8 tag, u32 little-endian length, payload`."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.store.placement import DISTRIBUTED

_HEADER = struct.Struct("<BI")
# The core closes a table frame near 4 MiB; one row of long arguments may pass that by far.
_MAX_FRAME_BYTES = 256 << 20


class BrokenFrames(Exception):
    """The child did not write what it should: it died in the middle, or is no longer itself."""


@dataclass(frozen=True)
class TableFrame:
    """A complete binary COPY stream of one table, which begins at `start` of the frame."""

    table: str
    frame: bytes
    start: int

    @property
    def copy_stream(self) -> memoryview:
        return memoryview(self.frame)[self.start :]


@dataclass(frozen=True)
class ProgressFrame:
    stage: str
    bytes_done: int
    bytes_total: int
    # Of what the file expands to.
    expanded_bytes: int
    event_count: int


class ImportSummary(BaseModel):
    """What the core says about a whole recording, in the last frame of a successful import.

    Fields have the names of the trace's columns.
    """

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
        """The values of the trace's own row."""
        return self.model_dump(exclude={"missing"}) | {"parser_version": version("jitterscope")}


@dataclass(frozen=True)
class SummaryFrame:
    summary: dict[str, Any]  # checked field by field where it is stored


@dataclass(frozen=True)
class ErrorFrame:
    error: dict[str, Any]  # the core's own error, shown as it is


@dataclass(frozen=True)
class RestartFrame:
    """All rows before it are void: the file is read again."""


Frame = TableFrame | RestartFrame | ProgressFrame | SummaryFrame | ErrorFrame


async def read_frames(reader: asyncio.StreamReader) -> AsyncIterator[Frame]:
    """The frames up to the end of the pipe.

    Raises: BrokenFrames.
    """
    while True:
        try:
            tag, length = _HEADER.unpack(await reader.readexactly(_HEADER.size))
            if length > _MAX_FRAME_BYTES:
                raise BrokenFrames(f"a frame of {length} bytes")
            payload = await reader.readexactly(length)
        except asyncio.IncompleteReadError as error:
            if error.partial or error.expected != _HEADER.size:
                raise BrokenFrames("the pipe ended inside a frame") from error
            return
        yield _decode(tag, payload)


def _decode(tag: int, payload: bytes) -> Frame:
    try:
        match chr(tag):
            case "T":
                name_end = 1 + payload[0]
                table = payload[1:name_end].decode("ascii")
                if table not in DISTRIBUTED:
                    raise BrokenFrames(f"rows for the table {table!r}")
                return TableFrame(table, payload, name_end)
            case "R":
                return RestartFrame()
            case "P":
                progress = json.loads(payload)
                return ProgressFrame(
                    stage=str(progress["stage"]),
                    bytes_done=int(progress["bytes_done"]),
                    bytes_total=int(progress["bytes_total"]),
                    expanded_bytes=int(progress["expanded_bytes"]),
                    event_count=int(progress["events"]),
                )
            case "S":
                return SummaryFrame(dict(json.loads(payload)))
            case "E":
                return ErrorFrame(dict(json.loads(payload)))
            case _:
                raise BrokenFrames(f"a frame with the tag {tag}")
    except (LookupError, ValueError, TypeError) as error:
        raise BrokenFrames("a frame that cannot be decoded") from error
