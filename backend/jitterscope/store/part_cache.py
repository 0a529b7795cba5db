"""Parts of traces that many questions need, kept in memory."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass

_MAX_BYTES = 64 << 20
# What an entry costs besides its bytes.
_ENTRY_BYTES = 256

# The key of a trace, and which of its loads its rows come from.
Load = tuple[int, int]


class PartCache:
    """The parts that were asked for last, within a bound on their bytes.

    Nothing in it grows old: what a load has stored does not change, loading a trace again is another
    load, and the key of a trace that is deleted is never given to another. The caller has found the
    trace first.
    """

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._parts: OrderedDict[tuple[Load, Hashable], bytes] = OrderedDict()

    def find(self, load: Load, part: Hashable) -> bytes | None:
        """The part, if it is at hand."""
        found = self._parts.get((load, part))
        if found is not None:
            self._parts.move_to_end((load, part))
        return found

    def keep(self, load: Load, part: Hashable, content: bytes) -> None:
        """Have the part at hand, unless it would drive out too many others."""
        name = (load, part)
        if len(content) > self._max_bytes // 4 or name in self._parts:
            return
        self._parts[name] = content
        self._bytes += len(content) + _ENTRY_BYTES
        while self._bytes > self._max_bytes:
            _, dropped = self._parts.popitem(last=False)
            self._bytes -= len(dropped) + _ENTRY_BYTES


@dataclass(frozen=True)
class LoadParts:
    """The cache as one load of a trace sees it."""

    cache: PartCache
    load: Load

    async def get(self, part: Hashable, read: Callable[[], Awaitable[bytes]]) -> bytes:
        """The part, read only if it is not at hand."""
        found = self.cache.find(self.load, part)
        if found is None:
            found = await read()
            self.cache.keep(self.load, part, found)
        return found
