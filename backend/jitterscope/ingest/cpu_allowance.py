"""How much CPU time a parsing child gets: for the bytes that there are, not for those that there might be."""

import asyncio
import os
import time

from jitterscope.settings import Settings

_SECONDS_BETWEEN_LOOKS = 0.5
# include/linux/posix-timers_types.h: the clock of all threads of a process, as the scheduler counts it.
_CPUCLOCK_SCHED = 2


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
