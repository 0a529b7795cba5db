"""The confined child that loads a file."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from typing import Self

from jitterscope.ingest.confined_child import ChildExit, ChildLimits, ConfinedChild
from jitterscope.ingest.cpu_allowance import CpuAllowance, most_cpu_seconds
from jitterscope.ingest.frames import Frame, ProgressFrame, read_frames
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore


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
