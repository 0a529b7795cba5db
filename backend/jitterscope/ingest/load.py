"""Loading one trace: the child's rows become visible all at once, or not at all."""

import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import structlog
from psycopg import AsyncConnection, DataError, IntegrityError, sql
from pydantic import ValidationError

from jitterscope import _ftrace
from jitterscope.ingest.frames import (
    BrokenFrames,
    ErrorFrame,
    ImportSummary,
    ProgressFrame,
    RestartFrame,
    SummaryFrame,
    TableFrame,
)
from jitterscope.ingest.parser_process import ParserProcess
from jitterscope.problems import DiskAlmostFull, FileMissing
from jitterscope.settings import Settings
from jitterscope.store import loads
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database, driver_connection
from jitterscope.store.loads import Claim
from jitterscope.store.models import TraceStatus

_log = structlog.get_logger()

# A worker that dies takes no blame on the file, but a file that takes every worker with it must end.
_MAX_ATTEMPTS = 10
_SECONDS_BETWEEN_REPORTS = 0.2
# What the core calls it when the disk fails under it, too.
_READ_FAILED = "read_failed"


Conclude = Callable[[AsyncConnection, int, ImportSummary], Awaitable[None]]


class Ending(Enum):
    DONE = auto()
    CRASHED = auto()
    GONE = auto()


class _Superseded(Exception):
    """The trace was deleted, or another worker has it; what was copied is rolled back."""


class _Refused(Exception):
    """The core's final word on a file, or ours."""

    def __init__(self, error: dict[str, Any]) -> None:  # the core's own error, shown as it is
        super().__init__(error.get("code"))
        self.error = error


class StoredFileUnusable(Exception):
    """The file is not here, or cannot be read; it is worth another try.

    Another machine may have it, the disk may come back, or somebody may give the service its rights.
    """

    def __init__(self, error: dict[str, Any]) -> None:  # as in `_Refused`
        super().__init__(error["sentence"])
        self.error = error


class _Crashed(Exception):
    """The child ended without a word."""


@dataclass(frozen=True)
class Loader:
    """Loads traces; one of these serves a whole worker."""

    settings: Settings
    database: Database
    blobs: BlobStore
    # What else is found out once the rows are there, in the same transaction; it never fails.
    conclude: Conclude

    async def load(self, trace_key: int) -> None:
        """Bring a trace to a final state, unless it is deleted before. Harmless to repeat.

        Raises: StoredFileUnusable if the file cannot be read and the trace is queued again.
        """
        while (held := await self._claim(trace_key)) is not None:
            with structlog.contextvars.bound_contextvars(trace=held.trace_id, attempt=held.attempt):
                if held.attempt - held.missing_count > _MAX_ATTEMPTS:
                    await self._fail(held, _crash_error(f"{_MAX_ATTEMPTS} attempts were not finished"))
                    return
                ending = await self._attempt(held)
                _log.info("load_ended", ending=ending.name.lower())
                if ending is not Ending.CRASHED:
                    return

    async def _claim(self, trace_key: int) -> Claim | None:
        async with self.database.session() as session:
            return await loads.claim(session, trace_key)

    async def _attempt(self, held: Claim) -> Ending:
        try:
            await self._copy(held)
        except _Superseded:
            return Ending.GONE
        except _Refused as refused:
            await self._fail(held, refused.error)
        except StoredFileUnusable as unusable:
            if held.missing_count + 1 < self.settings.missing_file_attempts:
                async with self.database.session() as session:
                    is_queued = await loads.give_back(session, held)
                if is_queued:
                    raise
                return Ending.GONE
            await self._fail(held, unusable.error)
        except DiskAlmostFull as full:
            # What was copied is rolled back by now.
            await self._fail(held, _disk_error(full))
        except _Crashed as crashed:
            crash_count = held.crash_count + 1
            _log.warning("parser_crashed", reason=str(crashed), crash_count=crash_count)
            if crash_count < self.settings.max_parser_crashes:
                async with self.database.session() as session:
                    return Ending.CRASHED if await loads.count_crash(session, held) else Ending.GONE
            times = f"{crash_count} times" if crash_count > 1 else "once"
            await self._fail(held, _crash_error(f"it ended {times} without an answer, last with {crashed}"))
        return Ending.DONE

    async def _fail(self, held: Claim, error: dict[str, Any]) -> None:
        async with self.database.session() as session:
            await loads.fail(session, held, error)

    async def _copy(self, held: Claim) -> None:
        """Copy everything that the child writes, in one transaction that also makes the trace `ready`."""
        with self._stored_file(held) as stored_file:
            await self._copy_from(held, stored_file)

    @contextlib.contextmanager
    def _stored_file(self, held: Claim) -> Iterator[int]:
        """A descriptor of the file. Raises: StoredFileUnusable."""
        count = held.missing_count + 1
        try:
            if not self.blobs.has(held.sha256):
                raise StoredFileUnusable(_missing_error(count))
            descriptor = self.blobs.open(held.sha256)
        except FileNotFoundError as error:
            raise StoredFileUnusable(_missing_error(count)) from error
        except OSError as error:
            raise StoredFileUnusable(_unreadable_error(count, error)) from error
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    async def _copy_from(self, held: Claim, stored_file: int) -> None:
        parser = ParserProcess(self.settings, self.blobs, stored_file, held.trace_key, held.size_bytes)
        async with self.database.session() as session, parser:
            connection = await driver_connection(session)
            summary = await self._consume(held, parser, connection)
            await self.conclude(connection, held.trace_key, summary)
            if not await loads.finish(session, held, summary.columns(), summary.missing):
                raise _Superseded

    async def _consume(
        self, held: Claim, parser: ParserProcess, connection: AsyncConnection
    ) -> ImportSummary:
        """The summary at the end of the frames, after all rows before it were copied.

        Raises: _Superseded, _Refused, _Crashed, StoredFileUnusable, DiskAlmostFull.
        """
        summary: ImportSummary | None = None
        next_report = 0.0
        await connection.execute("SAVEPOINT before_rows")
        try:
            async for frame in parser.frames():
                match frame:
                    case TableFrame():
                        self.blobs.require_space_to_load()
                        await _copy_rows(connection, held.trace_key, frame)
                    case RestartFrame():
                        await connection.execute("ROLLBACK TO SAVEPOINT before_rows")
                    case ProgressFrame() if time.monotonic() >= next_report:
                        await self._report(held, frame)
                        next_report = time.monotonic() + _SECONDS_BETWEEN_REPORTS
                    case SummaryFrame(facts):
                        summary = ImportSummary.model_validate(facts)
                    case ErrorFrame(error):
                        raise _refusal(error)
        except (BrokenFrames, ValidationError) as error:
            parser.kill()
            _log.warning("parser_frames_broken", detail=str(error))
            summary = None
        ended = await parser.exit()
        if ended.is_out_of_time:
            sentence = (
                f"Reading the file took too long: {ended.reason} "
                "(JITTERSCOPE_PARSER_BYTES_PER_SECOND); upload a shorter recording."
            )
            raise _Refused(_error("limit", "parse_time_limit", sentence))
        if summary is None or not ended.is_clean:
            _log.warning("parser_stderr", stderr=ended.stderr)
            raise _Crashed(ended.reason)
        return summary

    async def _report(self, held: Claim, frame: ProgressFrame) -> None:
        """Show progress at once, outside the transaction that holds the rows back."""
        status = TraceStatus.PARSING if frame.stage == "parsing" else TraceStatus.ANALYSING
        progress = loads.Progress(status, frame.stage, frame.bytes_done, frame.bytes_total, frame.event_count)
        async with self.database.session() as session:
            if not await loads.report(session, held, progress):
                raise _Superseded


async def _copy_rows(connection: AsyncConnection, trace_key: int, rows: TableFrame) -> None:
    """Raises: _Crashed where they are not rows of this trace, or the database finds none of the table."""
    try:
        # A child that its file has taken over must not get to write into another trace.
        _ftrace.count_own_rows(trace_key, rows.table, rows.frame, rows.start)
    except _ftrace.BlockError as error:
        _log.warning("rows_refused", table=rows.table, detail=str(error))
        raise _Crashed("rows that are not this trace's") from error
    statement = sql.SQL("COPY {} FROM STDIN (FORMAT binary)").format(sql.Identifier(rows.table))
    try:
        async with connection.cursor().copy(statement) as copy:
            await copy.write(rows.copy_stream)
    except (DataError, IntegrityError) as error:
        _log.warning("rows_refused", table=rows.table, detail=str(error))
        raise _Crashed(f"rows that the table {rows.table} cannot hold") from error


def _crash_error(reason: str) -> dict[str, Any]:
    sentence = f"The parser could not finish this file: {reason}. Please report it with the file."
    return _error("crash", "parser_crash", sentence)


def _missing_error(count: int) -> dict[str, Any]:
    times = f"{count} times" if count > 1 else "once"
    sentence = f"The stored file was looked for {times} and is missing."
    remedy = "Upload the same file again: it takes the place of the missing one, and the trace is loaded."
    return _error("io", FileMissing.code, sentence) | {"remedy": remedy}


def _refusal(error: dict[str, Any]) -> Exception:
    """What the core's own error means for the trace: a disk may do better the next time, a file never."""
    return StoredFileUnusable(_read_error(error)) if error.get("code") == _READ_FAILED else _Refused(error)


def _unreadable_error(count: int, error: OSError) -> dict[str, Any]:
    """What the system says, without the file's path, which is private."""
    times = f"{count} times" if count > 1 else "once"
    sentence = f"The stored file could not be opened, tried {times}: {error.strerror}."
    return _read_error(_error("io", _READ_FAILED, sentence))


def _read_error(error: dict[str, Any]) -> dict[str, Any]:
    remedy = (
        "Give the service's user its rights to the store, or look at the disk; then load the trace again, or "
        "upload the same file again."
    )
    return error | {"remedy": remedy}


def _disk_error(full: DiskAlmostFull) -> dict[str, Any]:
    remedy = "Delete traces or make room on the disk; then upload the same file again, or reload the trace."
    return _error("io", DiskAlmostFull.code, f"The trace does not fit: {full.detail}") | {"remedy": remedy}


def _error(error_class: str, code: str, sentence: str) -> dict[str, Any]:
    return {"class": error_class, "code": code, "sentence": sentence, "place": None, "excerpt": ""}
