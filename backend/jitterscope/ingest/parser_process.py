"""The confined child that loads a file, with CPU time for the bytes that it really reads."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator
from typing import Self

from jitterscope.ingest.confined_child import ChildExit, ChildLimits, ConfinedChild
from jitterscope.ingest.frames import Frame, ProgressFrame, read_frames
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore

_SECONDS_BETWEEN_LOOKS = 0.5
# include/linux/posix-timers_types.h: the clock of all threads of a process, as the scheduler counts it.
_CPUCLOCK_SCHED = 2


class ParserProcess:
    """A child that reads one open file; killed at the end of the block if it still runs."""

    def __init__(
        self, settings: Settings, blobs: BlobStore, stored_file: int, trace_key: int, size_bytes: int
    ) -> None:
        self._settings = settings
        self._size_bytes = size_bytes
        self._blobs = blobs
        self._stored_file = stored_file
        self._arguments = {"trace_key": trace_key, "limits_json": settings.limits_json, "extent": "whole"}
        self._limits = ChildLimits(
            memory_bytes=settings.parser_memory_bytes,
            # The last wall, should nobody watch any more.
            cpu_seconds=most_cpu_seconds(settings, size_bytes),
            # What a compressed recording is expanded into must not fill the disk under the database.
            file_bytes=min(settings.max_expanded_bytes, blobs.spare_bytes()),
        )

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            scratch = self._blobs.open_scratch()
            stack.callback(os.close, scratch)
            descriptors = {"input": self._stored_file, "scratch": scratch}
            child = ConfinedChild("import", self._arguments, descriptors, self._limits)
            self._child = await stack.enter_async_context(child)
            self._allowance = CpuAllowance(self._settings, self._size_bytes, scratch)
            watch = asyncio.create_task(self._stop_when_used_up())
            stack.callback(watch.cancel)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def frames(self) -> AsyncIterator[Frame]:
        """What the child writes, to its end. Raises: BrokenFrames."""
        async for frame in read_frames(self._child.output):
            if isinstance(frame, ProgressFrame):
                self._allowance.note_expanded(frame.expanded_bytes)
            yield frame

    def kill(self) -> None:
        self._child.kill()

    async def exit(self) -> ChildExit:
        """How the child ended, once it has."""
        return await self._child.exit()

    async def _stop_when_used_up(self) -> None:
        if await self._allowance.is_used_up_by(self._child.pid):
            self._child.stop_late(self._allowance.seconds)


class CpuAllowance:
    """A base, and a second for every few MiB of the file and of what it was expanded to so far.

    The parent measures and decides. The child says how much of the file it has read, but however much it
    claims, it never gets more than the largest file of its size would.
    """

    def __init__(self, settings: Settings, size_bytes: int, scratch_fd: int) -> None:
        self._settings = settings
        self._size_bytes = size_bytes
        self._scratch_fd = scratch_fd
        self._expanded_bytes = 0
        self.most_seconds = most_cpu_seconds(settings, size_bytes)

    @property
    def seconds(self) -> int:
        # A file that needs random access is expanded to the scratch file before any of it is read.
        expanded_bytes = max(self._expanded_bytes, os.fstat(self._scratch_fd).st_size)
        return min(self.most_seconds, _seconds_for(self._settings, self._size_bytes + expanded_bytes))

    def note_expanded(self, expanded_bytes: int) -> None:
        self._expanded_bytes = max(self._expanded_bytes, expanded_bytes)

    async def is_used_up_by(self, pid: int) -> bool:
        """Wait until the process has used more than its allowance; False if it ended before."""
        while (used := _cpu_seconds_of(pid)) is not None:
            if used > self.seconds:
                return True
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        return False


def most_cpu_seconds(settings: Settings, size_bytes: int) -> int:
    """CPU time for a file of this size that expands up to the limits."""
    floor = max(size_bytes, settings.expansion_ratio_floor_bytes)
    expanded = min(settings.max_expanded_bytes, max(floor, size_bytes * settings.max_expansion_ratio))
    return _seconds_for(settings, size_bytes + expanded)


def _seconds_for(settings: Settings, read_bytes: int) -> int:
    return settings.parser_min_seconds + read_bytes // settings.parser_bytes_per_second


def _cpu_seconds_of(pid: int) -> float | None:
    try:
        return time.clock_gettime((~pid << 3) | _CPUCLOCK_SCHED)
    except OSError:
        return None
