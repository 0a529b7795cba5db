"""A recording that is read into memory, and asked as the service asks its database."""

import asyncio
import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jitterscope import _ftrace
from jitterscope.explore.driver import Parameters, drive, trace_facts
from jitterscope.ingest.confined_child import ChildLimits, ConfinedChild
from jitterscope.ingest.frames import ErrorFrame, RestartFrame, SummaryFrame, TableFrame, read_frames
from jitterscope.ingest.summary import ImportSummary
from jitterscope.settings import ReadingLimits
from jitterscope.store.rows import HEADERS_OF, Filter, Name, Need, key_of, stored_tables
from jitterscope.terminal.copy_rows import Columns, Row, read_rows, stream_of

# The one trace there is.
_KEY = 1
_ID = "trace"
_MEMORY_BYTES = 2 << 30
_CPU_SECONDS = 3_600


class Refusal(Exception):
    """Why a command has no answer: a sentence that names the thing and the way out."""


class UnreadableFile(Refusal):
    """A file that cannot be opened, or is no recording."""


@dataclass
class Recording:
    """The rows of a recording by table, in the order of their keys, and what is known of it as a whole."""

    name: str
    summary: ImportSummary
    rows: dict[str, list[Row]] = field(default_factory=dict)
    _kept: dict[str, bytes] = field(default_factory=dict)

    async def ask(self, question: str, parameters: Parameters) -> dict[str, Any]:  # Any: JSON
        """The answer that REST would give, without links.

        Raises: RequestError, MissingError.
        """
        request = json.dumps({**parameters, "trace": _ID})
        answer: dict[str, Any] = json.loads(await drive(_ftrace.Question(question, request), self))
        return answer

    async def fetch(self, need: Need) -> bytes:
        """What a question needs, as `explore.driver.Source` has it."""
        match need:
            case Need(table="trace"):
                return json.dumps(trace_facts(self.summary)).encode()
            case Need(table="recording"):
                return json.dumps(self._side_facts()).encode()
            case Need(table="isolation"):
                facts = self.summary.facts
                return ",".join(str(facts.get(name, "")) for name in ("isolcpus", "isolated")).encode()
            case Need(table="kept", where=(Name(name=name),)):
                return self._kept.get(name, b"")
            case _:
                return self._rows_of(need.table, need.where)

    def keep(self, trace_id: str, name: str, part: bytes) -> None:
        """Have a part at hand for later questions."""
        self._kept[name] = part

    def _rows_of(self, table: str, where: Sequence[Filter]) -> bytes:
        stored = HEADERS_OF.get(table, table)
        rows = self.rows.get(stored, [])
        if not rows:
            return b""
        columns = _columns(stored)
        chosen = [row for row in rows if all(columns.has(row, one) for one in where)]
        return stream_of(chosen, [columns.names.index(name) for name in _columns(table).names])

    def _side_facts(self) -> dict[str, Any]:  # Any: as the core's facts of a side
        summary = self.summary
        names = ("kernel", "tracer", "clock", "time_unit", "time_origin", "cpu_count", "facts")
        return {"url": "", "id": _ID, "name": self.name, **{name: getattr(summary, name) for name in names}}


@cache
def _columns(table: str) -> Columns:
    return Columns(stored_tables()[table]["columns"], key_of(table))


def read_recording(path: str) -> Recording:
    """The recording in a file, or of `-` the one that comes through standard input.

    Raises: UnreadableFile.
    """
    with contextlib.ExitStack() as stack:
        if path == "-":
            file = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(sys.stdin.buffer, file)
            file.seek(0)
        else:
            try:
                file = stack.enter_context(Path(path).open("rb"))  # type: ignore[assignment]
            except OSError as error:
                raise UnreadableFile(f"{path}: {error.strerror}") from error
        scratch = stack.enter_context(tempfile.TemporaryFile())
        name = "standard input" if path == "-" else Path(path).name
        return asyncio.run(_read(name, file.fileno(), scratch.fileno()))


async def _read(name: str, file: int, scratch: int) -> Recording:
    limits = ChildLimits(
        memory_bytes=_MEMORY_BYTES,
        cpu_seconds=_CPU_SECONDS,
        file_bytes=shutil.disk_usage(tempfile.gettempdir()).free,
    )
    arguments = {"trace_key": _KEY, "limits_json": ReadingLimits().model_dump_json()}
    rows: dict[str, list[Row]] = {}
    summary: ImportSummary | None = None
    async with ConfinedChild("import", arguments, {"input": file, "scratch": scratch}, limits) as child:
        async for frame in read_frames(child.output):
            match frame:
                case TableFrame(table=table):
                    rows.setdefault(table, []).extend(read_rows(frame.copy_stream))
                case RestartFrame():
                    rows.clear()
                case SummaryFrame(summary=known):
                    summary = ImportSummary.model_validate(known)
                case ErrorFrame(error=error):
                    raise UnreadableFile(f"{name}: {error['sentence']} {error.get('remedy') or ''}".rstrip())
                case _:
                    pass
        ended = await child.exit()
    if summary is None or not ended.is_clean:
        raise UnreadableFile(f"{name}: the parser could not finish this file: {ended.reason}")
    for table, of_table in rows.items():
        of_table.sort(key=_columns(table).order_of)
    return Recording(name, summary, rows)
