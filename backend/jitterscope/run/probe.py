"""Questions that a part of the service answers as long as it works, whatever else it has to do."""

import contextlib
import http.client
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from psycopg import pq

# A part that never answered may still be starting, or replaying its log.
_START_SECONDS = 60.0
# A part that answers for this long was rightly given up before.
_WELL_SECONDS = 600.0
_MOST_PATIENCE = 8
# A question cannot take longer than its time, unless the asking process was asleep.
_OVERSLEPT = 2.0

# Returns once the part has answered. Raises: OSError, such as TimeoutError, if it did not within the seconds.
Ask = Callable[[float], None]


@dataclass
class Patience:
    """How many questions in a row may be left without an answer. All times are of one steady clock.

    Each time that this was too many, twice as many are next time: what is not cured by another start, such as
    a machine that is far too slow, does not get one start after the other.
    """

    most_missed: int
    missed_count: int = 0
    factor: int = 1
    started: float = 0.0
    answering_since: float | None = None

    def begin(self, now: float) -> None:
        if self.is_exhausted:
            self.factor = min(2 * self.factor, _MOST_PATIENCE)
        self.missed_count, self.started, self.answering_since = 0, now, None

    @property
    def is_exhausted(self) -> bool:
        return self.missed_count >= self.most_missed * self.factor

    def note_answer(self, now: float) -> None:
        """Takes note of a sign of life at `now`, in seconds of the monotonic clock."""
        self.missed_count = 0
        if self.answering_since is None:
            self.answering_since = now
        elif now - self.answering_since >= _WELL_SECONDS:
            self.factor = 1

    def note_silence(self, now: float) -> None:
        """Counts a missing sign of life, unless the process may still be starting at `now`."""
        if self.answering_since is not None or now - self.started >= _START_SECONDS:
            self.missed_count += 1


class Probe:
    """Signs of life of a process that has to be asked for them, in a thread so that nothing waits for it."""

    def __init__(self, ask: Ask, seconds: float, most_missed: int) -> None:
        self._ask = ask
        self._seconds = seconds
        self._patience = Patience(most_missed)
        self._lock = threading.Lock()
        self._start_count = 0
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Asks from now on; the process was just started."""
        with self._lock:
            self._patience.begin(time.monotonic())
            self._start_count += 1
        if self._thread is None:
            self._thread = threading.Thread(target=self._ask_on, daemon=True)
            self._thread.start()

    def are_missing(self) -> bool:
        return self._patience.is_exhausted

    def _ask_on(self) -> None:
        while True:
            asked_at, of_start = time.monotonic(), self._start_count
            is_answered = True
            try:
                self._ask(self._seconds)
            except (OSError, http.client.HTTPException):
                is_answered = False
            now = time.monotonic()
            with self._lock:
                if of_start == self._start_count and is_answered:
                    self._patience.note_answer(now)
                elif of_start == self._start_count and now - asked_at < _OVERSLEPT * self._seconds:
                    self._patience.note_silence(now)
            time.sleep(max(0.0, asked_at + self._seconds / 2 - now))


def ask_web_server(host: str, port: int) -> Ask:
    """Asks for `/healthz`, for which the web server keeps connections free. Any answer will do."""

    def ask(seconds: float) -> None:
        with contextlib.closing(http.client.HTTPConnection(host, port, timeout=seconds)) as connection:
            connection.request("GET", "/healthz")
            connection.getresponse().read()

    return ask


def ask_database(url: Callable[[], str]) -> Ask:
    """Logs in, which takes a new process of the server and a look into its catalogs.

    A server that refuses, since it is starting or has no connection left, answers, too.
    """

    def ask(seconds: float) -> None:
        # libpq takes whole seconds, and two for one.
        separator = "&" if "?" in url() else "?"
        address = f"{url()}{separator}connect_timeout={max(2, round(seconds))}"
        if pq.PGconn.ping(address.encode()) == pq.Ping.NO_RESPONSE:
            raise TimeoutError

    return ask
