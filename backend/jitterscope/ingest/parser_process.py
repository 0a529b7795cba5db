"""The parsing child as its parent sees it."""

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Self

from jitterscope.ingest.frames import Frame, read_frames
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore

_PIPE_BYTES = 1 << 20
_STDERR_BYTES = 8 << 10
# A child waits for the database, too, so its wall clock gets a multiple of its CPU time.
_WALL_FACTOR = 4


@dataclass(frozen=True)
class ParserExit:
    """How the child ended. `reason` is fit to be shown, `stderr` only to be logged."""

    is_clean: bool
    is_out_of_time: bool
    reason: str
    stderr: str


class ParserProcess:
    """A child that reads one file; killed at the end of the block if it still runs."""

    def __init__(
        self, settings: Settings, blobs: BlobStore, sha256: str, trace_key: int, size_bytes: int
    ) -> None:
        self._settings = settings
        self._blobs = blobs
        self._sha256 = sha256
        self._trace_key = trace_key
        self._cpu_seconds = cpu_seconds(settings, size_bytes)
        self._is_past_wall_clock = False

    async def __aenter__(self) -> Self:
        with contextlib.ExitStack() as passed:
            input_fd = _closing(passed, os.open(self._blobs.path(self._sha256), os.O_RDONLY | os.O_CLOEXEC))
            scratch_fd = _closing(passed, self._blobs.open_scratch())
            read_fd, write_fd = os.pipe()
            _closing(passed, write_fd)
            frames = os.fdopen(read_fd, "rb", buffering=0)
            with contextlib.suppress(OSError):
                fcntl.fcntl(write_fd, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            descriptors = (input_fd, scratch_fd, write_fd)
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-m",
                "jitterscope.ingest.child",
                self._spec(*descriptors),
                pass_fds=descriptors,
                env={"LANG": "C.UTF-8", "RUST_BACKTRACE": "1"},
                cwd="/",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(limit=_PIPE_BYTES)
        self._transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._reader), frames
        )
        self._stderr = asyncio.create_task(self._read_stderr())
        self._alarm = loop.call_later(self._cpu_seconds * _WALL_FACTOR, self._stop_late)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._alarm.cancel()
        self.kill()
        self._transport.close()
        await self._process.wait()
        await self._stderr

    @property
    def pid(self) -> int:
        return self._process.pid

    def frames(self) -> AsyncIterator[Frame]:
        """What the child writes, to its end. Raises: BrokenFrames."""
        return read_frames(self._reader)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def exit(self) -> ParserExit:
        """How the child ended, once it has."""
        code = await self._process.wait()
        stderr = await self._stderr
        if self._is_past_wall_clock or code == -signal.SIGXCPU:
            reason = f"it was stopped after {self._cpu_seconds} s of CPU time"
            return ParserExit(is_clean=False, is_out_of_time=True, reason=reason, stderr=stderr)
        reason = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        return ParserExit(is_clean=code == 0, is_out_of_time=False, reason=reason, stderr=stderr)

    def _spec(self, input_fd: int, scratch_fd: int, output_fd: int) -> str:
        return json.dumps(
            {
                "input_fd": input_fd,
                "scratch_fd": scratch_fd,
                "output_fd": output_fd,
                "trace_key": self._trace_key,
                "limits_json": self._settings.limits_json,
                "parent_pid": os.getpid(),
                "memory_bytes": self._settings.parser_memory_bytes,
                "cpu_seconds": self._cpu_seconds,
                # What a compressed recording is expanded into must not fill the disk under the database.
                "file_bytes": min(self._settings.max_expanded_bytes, self._blobs.spare_bytes()),
            }
        )

    def _stop_late(self) -> None:
        self._is_past_wall_clock = True
        self.kill()

    async def _read_stderr(self) -> str:
        """The end of what the child complained about."""
        kept = b""
        if self._process.stderr is not None:
            while chunk := await self._process.stderr.read(_STDERR_BYTES):
                kept = (kept + chunk)[-_STDERR_BYTES:]
        return kept.decode("utf-8", "backslashreplace")


def _closing(stack: contextlib.ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor


def cpu_seconds(settings: Settings, size_bytes: int) -> int:
    """CPU time for a file: a base, and a second for every few MiB that it can expand to."""
    floor = max(size_bytes, settings.expansion_ratio_floor_bytes)
    expanded = min(settings.max_expanded_bytes, max(floor, size_bytes * settings.max_expansion_ratio))
    return settings.parser_min_seconds + expanded // settings.parser_bytes_per_second
