"""Small parts of traces that many questions need, kept in memory."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable

_MAX_BYTES = 64 << 20
# What an entry costs besides its bytes.
_ENTRY_BYTES = 256


class PartCache:
    """The parts that were asked for last, within a bound on their bytes.

    Nothing in it grows old: a trace that is ready does not change, and the key of one that is
    deleted is never given to another. Whoever asks has found the trace first.
    """

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._parts: OrderedDict[tuple[int, str], bytes] = OrderedDict()

    async def get(self, trace_key: int, part: str, read: Callable[[], Awaitable[bytes]]) -> bytes:
        """The part, read only if it is not at hand."""
        found = self._parts.get((trace_key, part))
        if found is None:
            found = await read()
            self._keep((trace_key, part), found)
        else:
            self._parts.move_to_end((trace_key, part))
        return found

    def _keep(self, name: tuple[int, str], part: bytes) -> None:
        if len(part) > self._max_bytes // 4 or name in self._parts:
            return
        self._parts[name] = part
        self._bytes += len(part) + _ENTRY_BYTES
        while self._bytes > self._max_bytes:
            _, dropped = self._parts.popitem(last=False)
            self._bytes -= len(dropped) + _ENTRY_BYTES
