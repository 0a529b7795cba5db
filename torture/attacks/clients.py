"""Fifty people look at a trace of ten million events, while others upload slowly and one trace is loaded."""

import http.client
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from attack import REPOSITORY, Attack, Extent, Outcome
from product import FINAL, Json, Product, ProductError

GENERATE = REPOSITORY / "bench" / "generate.py"
CLIENTS = 50
SECONDS = 60.0
EVENTS = 10_000_000
LOADED_EVENTS = 2_000_000
SLOW_UPLOADS = 10
SLOW_BYTES_PER_SECOND = 64 << 10
LARGEST_P95_SECONDS = 0.3
SCREEN_PX = 1600
# Parts of the trace that a timeline shows, from all of it to single events.
ZOOMS = (1.0, 0.1, 0.01, 0.001, 0.0001)
SLOWEST_SHOWN = 8


@dataclass
class Tally:
    """What the clients were answered: seconds by kind of question, and what was no answer."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, seconds: float, error: str | None) -> None:
        with self.lock:
            self.seconds.setdefault(name, []).append(seconds)
            if error is not None:
                self.errors[error] += 1


@dataclass(frozen=True)
class Screens:
    """What a page asks about one trace."""

    trace: Json
    kinds: list[str]
    cases: list[str]

    def asks(self, choose: random.Random) -> Iterator[tuple[str, str]]:
        """Names and paths without end, in the order in which somebody goes through the views."""
        path = f"/api/v1/traces/{self.trace['id']}"
        while True:
            kind = choose.choice(self.kinds)
            yield "catalog", "/api/v1/traces?limit=50"
            yield "trace", path
            yield "kinds", f"{path}/latencies/kinds"
            yield "worst", f"{path}/latencies?kind={kind}&sort=-duration&limit=20"
            for share in choose.sample(ZOOMS, 3):
                start, end = self._window(choose, share)
                yield f"timeline {share:.2%}", f"{path}/timeline?start={start}&end={end}&width={SCREEN_PX}"
            start, end = self._window(choose, 0.01)
            yield "events", f"{path}/events?start={start}&end={end}&limit=200&order=asc"
            yield "events found", f"{path}/events?start={start}&end={end}&limit=200&q=event:sched_switch"
            yield "stats", f"{path}/latencies/stats?kind={kind}&bucket=log2&buckets=1000"
            start, end = self._window(choose, 0.1)
            yield "stats in window", f"{path}/latencies/stats?kind={kind}&start={start}&end={end}"
            yield "series", f"{path}/latencies/series?kind={kind}&width={SCREEN_PX}"
            yield "case", f"{path}/latencies/{quote(choose.choice(self.cases))}"
            yield "functions", f"{path}/functions"

    def _window(self, choose: random.Random, share: float) -> tuple[int, int]:
        whole_ns = self.trace["duration_ns"]
        window_ns = max(1, int(whole_ns * share))
        start_ns = choose.randrange(whole_ns - window_ns + 1)
        return start_ns, start_ns + window_ns


def run(extent: Extent) -> Outcome:
    outcome, tally = Outcome(), Tally()
    with tempfile.TemporaryDirectory(prefix="jitterscope-clients-") as name, ExitStack() as stack:
        folder = Path(name)
        product = stack.enter_context(Product(folder))
        screens = _screens(product, product.load(_recording(folder, EVENTS), "looked-at.txt", 600))
        busy = _Beside(product, _recording(folder, LOADED_EVENTS), extent.seed)
        until = time.monotonic() + SECONDS
        threads = [
            threading.Thread(target=_look, args=(product, screens, tally, until, extent.seed + number))
            for number in range(CLIENTS)
        ]
        cpu_seconds = _cpu_seconds(product)
        busy.start(until)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # What else the machine does makes answers wait; what they cost stays nearly the same.
        cpu_seconds = _cpu_seconds(product) - cpu_seconds
        load = os.getloadavg()[0]
        busy.join()
    _judge(outcome, tally, busy)
    outcome.figures += [
        ("CPU of the web server for an answer", f"{cpu_seconds / max(1, outcome.tried) * 1000:.1f} ms"),
        ("load average at the end", f"{load:.1f}"),
    ]
    return outcome


def _cpu_seconds(product: Product) -> float:
    """CPU time of the web server so far."""
    # 4242 (python) S 4241 ... : utime and stime are the 14th and 15th fields.
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in product.pids("api")]
    return sum(int(found[11]) + int(found[12]) for found in fields) / os.sysconf("SC_CLK_TCK")


def _recording(folder: Path, count: int) -> Path:
    path = folder / f"{count}.txt"
    with path.open("wb") as out:
        subprocess.run([sys.executable, str(GENERATE), "events", str(count)], stdout=out, check=True)
    return path


def _screens(product: Product, trace: Json) -> Screens:
    path = f"/api/v1/traces/{trace['id']}/latencies"
    kinds = [kind["kind"] for kind in product.ask(f"{path}/kinds")["items"] if kind["count"]]
    named = [kind for kind in kinds if kind != "field"]
    lists = [product.ask(f"{path}?kind={kind}&limit=20")["items"] for kind in named]
    return Screens(trace, named, [case["id"] for items in lists for case in items])


def _look(product: Product, screens: Screens, tally: Tally, until: float, seed: int) -> None:
    """One client that asks the next thing as soon as it has the answer to the last."""
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=60)
    choose = random.Random(seed)  # noqa: S311 (the same questions in every run)
    for name, path in screens.asks(choose):
        began = time.monotonic()
        if began >= until:
            break
        error = None
        try:
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                error = f"{answer.status} {name}: {body[:200]!r}"
        except (OSError, http.client.HTTPException) as failure:
            error = f"{name}: {failure!r}"
            connection.close()
        tally.add(name, time.monotonic() - began, error)
    connection.close()


class _Beside:
    """Ten uploads at the speed of a bad line, and one trace after another that is loaded."""

    def __init__(self, product: Product, recording: Path, seed: int) -> None:
        self.loads = 0
        self.failures: list[str] = []
        self._product = product
        self._recording = recording.read_bytes()
        self._seed = seed
        self._threads: list[threading.Thread] = []

    def start(self, until: float) -> None:
        targets = [lambda number=number: self._upload_slowly(number, until) for number in range(SLOW_UPLOADS)]
        self._threads = [threading.Thread(target=target) for target in (*targets, lambda: self._load(until))]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _upload_slowly(self, number: int, until: float) -> None:
        def body() -> Iterator[bytes]:
            yield self._variant(f"slow {self._seed} {number}")[:4096]
            position = 4096
            while time.monotonic() < until:
                time.sleep(1)
                yield self._recording[position : position + SLOW_BYTES_PER_SECOND]
                position += SLOW_BYTES_PER_SECOND

        connection = http.client.HTTPConnection("127.0.0.1", self._product.port, timeout=120)
        try:
            connection.request("POST", f"/api/v1/traces?filename=slow-{number}.txt", body())
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 202:
                self.failures.append(f"slow upload {number}: {answer.status} {text[:200]!r}")
        except (OSError, http.client.HTTPException) as failure:
            self.failures.append(f"slow upload {number}: {failure!r}")
        finally:
            connection.close()

    def _load(self, until: float) -> None:
        try:
            while time.monotonic() < until:
                answer = self._product.upload(self._variant(f"load {self._seed} {self.loads}"))
                trace = self._product.wait(answer.json()["id"])
                if trace["status"] not in FINAL:
                    self.failures.append(f"a load is {trace['status']} after two minutes")
                self.loads += 1
        except (OSError, http.client.HTTPException, ProductError, ValueError) as failure:
            self.failures.append(f"load: {failure!r}")

    def _variant(self, name: str) -> bytes:
        """The recording with a comment, which makes it another trace."""
        head, end, rest = self._recording.partition(b"\n")
        return head + end + f"# {name}\n".encode() + rest


def _judge(outcome: Outcome, tally: Tally, busy: _Beside) -> None:
    all_seconds = [seconds for found in tally.seconds.values() for seconds in found]
    outcome.tried = len(all_seconds)
    for error, count in tally.errors.most_common():
        outcome.failures.append(f"{count} times {error}")
    outcome.failures += busy.failures
    if not all_seconds:
        return
    p95 = _quantile(all_seconds, 0.95)
    outcome.require(
        holds=p95 <= LARGEST_P95_SECONDS, otherwise=f"p95 is {p95:.3f} s, not {LARGEST_P95_SECONDS} s"
    )
    outcome.require(holds=busy.loads > 0, otherwise="nothing was loaded beside")
    outcome.figures += [
        ("answers a second", f"{len(all_seconds) / SECONDS:.0f}"),
        (
            "p50 / p95 / p99",
            " / ".join(f"{_quantile(all_seconds, q) * 1000:.0f}" for q in (0.5, 0.95, 0.99)) + " ms",
        ),
        ("loads finished beside", str(busy.loads)),
    ]
    by_p95 = sorted(tally.seconds.items(), key=lambda item: -_quantile(item[1], 0.95))
    outcome.figures += [
        (f"p95 of {name}", f"{_quantile(found, 0.95) * 1000:.0f} ms")
        for name, found in by_p95[:SLOWEST_SHOWN]
    ]


def _quantile(values: list[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


ATTACK = Attack(
    name="clients",
    promise="50 clients on 10 M events beside uploads and a load: 0 errors, 95 of 100 answers within 300 ms",
    run=run,
    is_only_long=True,
)
