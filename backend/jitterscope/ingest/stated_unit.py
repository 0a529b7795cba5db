"""The unit of bare numbers: given with an upload, it becomes the first line of the file."""

from collections.abc import Awaitable, Callable
from typing import Literal

from jitterscope.ingest.receive import HEAD_BYTES, CheckHead, ReceivedFile, Receiver
from jitterscope.problems import InvalidParameter, UnsupportedUpload

Unit = Literal["ns", "us", "ms", "s"]

_UNKNOWN = "unknown_format"


class UnitWriter:
    """Writes an upload to its receiver; `unit`, where there is one, before it as a comment of the file.

    A file says itself what its numbers count, so that it means the same wherever it is loaded again. With a
    file that says it already, the parameter could only be ignored or be wrong, so it is refused.
    """

    def __init__(self, receiver: Receiver, check_head: CheckHead, unit: Unit | None) -> None:
        self._receiver = receiver
        self._check_head = check_head
        self._first_line = None if unit is None else _line(unit)
        self._head = bytearray()

    async def write(self, chunk: bytes) -> None:
        """Take the next bytes. Raises: what `Receiver.write` does, InvalidParameter."""
        if self._first_line is None:
            await self._receiver.write(chunk)
            return
        self._head += chunk
        if len(self._head) >= HEAD_BYTES:
            await self._begin_with(self._first_line)

    async def finish(self) -> ReceivedFile:
        """The whole file. Raises: what `Receiver.finish` does, InvalidParameter."""
        if self._first_line is not None and self._head:
            await self._begin_with(self._first_line)
        return await self._receiver.finish()

    async def _begin_with(self, first_line: bytes) -> None:
        head = bytes(self._head)
        if await _is_read(head, self._check_head):
            raise InvalidParameter(
                "unit", "the file says itself what its numbers are; upload it without this parameter"
            )
        self._first_line = None
        await self._receiver.write(first_line + head)


def asks_for_unit(check_head: CheckHead) -> Callable[[bytes, int], Awaitable[None]]:
    """`check_head`, which refuses bare numbers with the question for their unit."""

    async def check(head: bytes, size_bytes: int) -> None:
        try:
            await check_head(head, size_bytes)
        except UnsupportedUpload as refused:
            if refused.code == _UNKNOWN and await _is_read(_line("ns") + head, check_head):
                raise UnsupportedUpload(
                    "The file holds numbers and does not say in what unit they are.",
                    code="unit_unknown",
                    remedy="Upload it with unit=ns, us, ms or s, or begin it with a line such as # unit=us.",
                ) from refused
            raise

    return check


def _line(unit: Unit) -> bytes:
    return f"# unit={unit}\n".encode()


async def _is_read(head: bytes, check_head: CheckHead) -> bool:
    try:
        await check_head(head, len(head))
    except UnsupportedUpload:
        return False
    return True
