"""What the first bytes of an upload say of it, found out in a confined child and never in this process."""

import asyncio
import os

import structlog
from pydantic import BaseModel, TypeAdapter

from jitterscope.ingest.confined_child import ChildFailed, ChildLimits, ConfinedChild
from jitterscope.problems import UnsupportedUpload

_log = structlog.get_logger()

# Address space for Python and for what a decompressor may ask for.
_LIMITS = ChildLimits(memory_bytes=512 << 20, cpu_seconds=5, file_bytes=0)
_AT_ONCE = 4


class _Place(BaseModel):
    line: int | None
    byte_offset: int | None


class _Refusal(BaseModel):
    """The core's own words."""

    code: str
    sentence: str
    remedy: str
    place: _Place


_REFUSAL_OR_NOTHING: TypeAdapter[_Refusal | None] = TypeAdapter(_Refusal | None)


class Sniffer:
    """Looks at the beginnings of files, a few at a time."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def require_supported(self, head: bytes, size_bytes: int) -> None:
        """Raises: UnsupportedUpload, with code, place, sentence and remedy, if no recording begins like this.

        A head that breaks its child is let pass: the load will fail in the same way, and keep the file and
        the reason.
        """
        async with self._slots:
            try:
                refusal = await _sniff(head, size_bytes)
            except ChildFailed as error:
                _log.warning("sniff_failed", detail=str(error))
                return
        if refusal is not None:
            raise UnsupportedUpload(
                refusal.sentence,
                code=refusal.code,
                remedy=refusal.remedy or None,
                line=refusal.place.line,
                byte_offset=refusal.place.byte_offset,
            )


async def _sniff(head: bytes, size_bytes: int) -> _Refusal | None:
    """Raises: ChildFailed."""
    # The child gets a copy of these bytes and not the file, which is still open for writing.
    with os.fdopen(os.memfd_create("head", os.MFD_CLOEXEC), "wb") as copy:
        copy.write(head)
        copy.flush()
        arguments = {"head_bytes": len(head), "size_bytes": size_bytes}
        async with ConfinedChild("sniff", arguments, {"input": copy.fileno()}, _LIMITS) as child:
            return await child.answer(_REFUSAL_OR_NOTHING)
