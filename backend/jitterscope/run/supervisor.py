"""Keeps the parts of the service running: what ends is started again, ever more slowly if it keeps ending."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

# A part that ran for so long has worked; when it ends, it is started again at once.
STEADY_SECONDS = 5.0
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
# A part that ended so often in a row, each time soon, has a reason that people must look for.
TELLING_FAILURES = 5


class PartError(Exception):
    """A part could not be started; the message says why."""


class Part(Protocol):
    """A process that the service consists of."""

    @property
    def name(self) -> str:
        """What people call it, fit to begin a sentence with."""

    def start(self) -> None:
        """Starts it, also once more after it has ended. Raises: PartError."""

    def exit_code(self) -> int | None:
        """None as long as it runs."""

    def end_if_hung(self) -> bool:
        """Whether it had to be killed, because it gave no sign of life for too long."""

    def end_of_log(self) -> str:
        """The last lines of its log."""


@dataclass
class _Watched:
    part: Part
    started: float
    has_worked: bool = False
    failure_count: int = 0
    next_start: float | None = None


@dataclass
class Supervisor:
    """Looks after parts that have been started. `say` takes a sentence for the person at the terminal."""

    say: Callable[[str], None]
    _watched: list[_Watched] = field(default_factory=list)

    def watch(self, parts: Sequence[Part], now: float) -> None:
        """Look after these, too; they have just been started."""
        self._watched += [_Watched(part, now) for part in parts]

    def look(self, now: float) -> bool:
        """Whether the service can continue; it cannot where a part has never worked. `now` is in seconds."""
        return all(self._look_at(watched, now) for watched in self._watched)

    def _look_at(self, watched: _Watched, now: float) -> bool:
        part = watched.part
        if watched.next_start is not None:
            if now < watched.next_start:
                return True
            watched.next_start = None
            watched.started = now
            try:
                part.start()
            except PartError as error:
                return self._has_failed(watched, now, f"cannot be started: {error}")
        elif part.end_if_hung():
            return self._has_failed(watched, now, "gave no sign of life and was killed")
        elif (code := part.exit_code()) is not None:
            return self._has_failed(watched, now, f"ended with {code}")
        elif now - watched.started >= STEADY_SECONDS:
            if watched.failure_count >= TELLING_FAILURES:
                self.say(f"{part.name} runs again")
            watched.has_worked = True
            watched.failure_count = 0
        return True

    def _has_failed(self, watched: _Watched, now: float, how: str) -> bool:
        """Plans the next start. Says something about the first failure and the fifth, not about each."""
        part = watched.part
        if now - watched.started >= STEADY_SECONDS:
            watched.has_worked = True
            watched.failure_count = 0
        watched.failure_count += 1
        watched.next_start = now + _pause_seconds(watched.failure_count)
        if watched.failure_count == 1:
            self.say(f"{part.name} {how}; it is started again")
        elif watched.failure_count == TELLING_FAILURES:
            self.say(f"{part.name} {how}, the {TELLING_FAILURES}th time in a row; {_log_of(part)}")
            if not watched.has_worked:
                return False
            self.say(f"{part.name} is tried again, at least every {LONGEST_PAUSE_SECONDS:.0f} s")
        return True


def _pause_seconds(failure_count: int) -> float:
    """None after the first failure, then 0.5 s, 1 s, 2 s, and at last half a minute."""
    if failure_count == 1:
        return 0.0
    return min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** (failure_count - 2))


def _log_of(part: Part) -> str:
    said = part.end_of_log()
    return f"the end of its log:\n{said}" if said else "it logged nothing"
