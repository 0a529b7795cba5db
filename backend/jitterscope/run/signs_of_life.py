"""Telling a part of the service that hangs from one that is merely busy, or was asleep with the machine."""

import time
from pathlib import Path
from typing import Protocol

# The watcher looks many times in the seconds of silence that are allowed. Where it could not for this
# share of them, others could not either: the machine was suspended, this process was stopped, or somebody
# else had all of the CPU.
_ABSENT_MINDED_SHARE = 0.25


class SignsOfLife(Protocol):
    """What shows that a process does its work. Asked for all the time, by one thread."""

    def begin(self) -> None:
        """The process is about to be started, or started again."""

    def are_missing(self) -> bool:
        """Whether they have been missing for so long that the process hangs."""


class Pulse:
    """A file that a process touches all the time, from the moment at which it first does so.

    Only changes of the file's time are looked at, never how old it is: the time of day may jump.
    """

    def __init__(self, file: Path, silence_seconds: float) -> None:
        self._file = file
        self._silence_seconds = silence_seconds
        self._beat = 0
        self._heard = self._looked = 0.0

    def begin(self) -> None:
        """Forgets what the process before left: there is no sign of life until the new one gives one."""
        self._file.unlink(missing_ok=True)
        self._beat = 0

    def are_missing(self) -> bool:
        """Whether the file has not changed for `silence_seconds`, though it was looked at all the time."""
        now = time.monotonic()
        was_away = now - self._looked > _ABSENT_MINDED_SHARE * self._silence_seconds
        self._looked = now
        try:
            beat = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            # It has just been started, or waits for its database.
            return False
        if beat != self._beat or was_away:
            self._beat, self._heard = beat, now
        return now - self._heard > self._silence_seconds


def is_waiting_for_disk(pid: int) -> bool:
    """Whether the kernel has a process wait for a device; it cannot even be killed until that answers."""
    try:
        # 4242 (post gres) D 4200 ...
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "D"
    except OSError:
        return False
