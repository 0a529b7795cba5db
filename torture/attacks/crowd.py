"""A crowd at the door: heavy questions, open uploads, idle connections, slow heads, huge bodies."""

import http.client
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from attack import SAMPLES, Attack, Extent, Outcome
from product import Product

RECORDING = SAMPLES / "cyclictest-6.12-rt.dat"
LONGEST_SECONDS = 1.0
# What must be answered while the crowd is there.
ALWAYS = ("/healthz", "/readyz", "/api/v1/traces?limit=50", "/api/v1/catalog", "/")
# What anybody of the crowd may be told. 0 is a connection that was closed without a word.
TOLD = {
    "lists": {200, 503},
    "uploads": {0, 408, 429},
    "idle connections": {0},
    "slow heads": {0},
    "bodies": {0, 413},
}
HUGE_BODY_BYTES = 60 << 20


@dataclass
class Crowd:
    """What the crowd was told, by what it did."""

    told: dict[str, Counter[int]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, what: str, status: int) -> None:
        with self.lock:
            self.told.setdefault(what, Counter())[status] += 1


def run(extent: Extent) -> Outcome:
    outcome, crowd = Outcome(), Crowd()
    with tempfile.TemporaryDirectory(prefix="jitterscope-crowd-") as name, ExitStack() as stack:
        product = stack.enter_context(Product(Path(name)))
        trace_id = product.load(RECORDING, RECORDING.name)["id"]
        sockets = stack.enter_context(_Sockets(product))
        is_over = threading.Event()
        seen = _Watch(product, (*ALWAYS, f"/api/v1/traces/{trace_id}"), is_over)
        threads = [
            *_threads(60, lambda number: _ask_lists(product, crowd, trace_id, number, is_over)),
            *_threads(3, lambda _: _send_huge_bodies(product, crowd, is_over)),
            *_threads(8, lambda _: _send_slow_heads(sockets, crowd, is_over)),
            threading.Thread(target=seen.run),
        ]
        for thread in threads:
            thread.start()
        uploads = [sockets.open(_UPLOAD) for _ in range(200)]
        idle = [sockets.open() for _ in range(extent.pick(700, 1100))]
        time.sleep(extent.pick(2, 40))
        is_over.set()
        for thread in threads:
            thread.join()
        for what, opened in (("uploads", uploads), ("idle connections", idle)):
            for connection in opened:
                crowd.add(what, sockets.told(connection))
        outcome.require(
            holds=product.exit_code() is None and product.request("GET", "/readyz").status == 200,
            otherwise="the service is not ready afterwards",
        )
        memory = max(_peak_bytes(pid) for pid in product.pids("api"))
    _judge(outcome, crowd)
    outcome.require(holds=memory < 1 << 30, otherwise=f"the web server took {memory >> 20} MiB")
    outcome.tried += len(seen.seconds)
    outcome.failures += seen.failures
    outcome.require(holds=bool(seen.seconds), otherwise="nobody was answered")
    outcome.figures += [
        ("asked for health, catalog and trace facts", str(len(seen.seconds))),
        ("slowest of those", f"{max(seen.seconds, default=0) * 1000:.0f} ms"),
        ("memory of the web server at most", f"{memory >> 20} MiB"),
    ]
    return outcome


def _threads(count: int, target: Callable[[int], None]) -> Iterator[threading.Thread]:
    return (threading.Thread(target=target, args=(number,)) for number in range(count))


_UPLOAD = b"POST /api/v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx"


class _Sockets:
    """Connections that stay open until the end."""

    def __init__(self, product: Product) -> None:
        self._port = product.port
        self._open: list[socket.socket] = []

    def open(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self._port), timeout=10)
        self._open.append(connection)
        connection.sendall(sent)
        return connection

    def told(self, connection: socket.socket) -> int:
        """Status of what has come so far; 0 where nothing did."""
        connection.settimeout(0)
        try:
            head = connection.recv(64)
        except OSError:
            return 0
        return int(head.split(b" ")[1]) if head.startswith(b"HTTP/1.1 ") else 0

    def __enter__(self) -> "_Sockets":
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._open:
            connection.close()


def _ask_lists(product: Product, crowd: Crowd, trace_id: str, number: int, is_over: threading.Event) -> None:
    path = f"/api/v1/traces/{trace_id}"
    asked = 0
    while not is_over.is_set():
        asked += 1
        # Each other than the last, so that none is at hand.
        start = number * 1000 + asked
        ask = (
            f"{path}/events?limit=1000&start={start}&q=pid={start}",
            f"{path}/latencies?kind=wakeup&sort=t&start={start}&limit=1000",
            f"{path}/latencies/stats?kind=wakeup&start={start}",
            f"{path}/timeline?start={start}&width=5000",
        )[asked % 4]
        crowd.add("lists", _status(product, "GET", ask))


def _send_huge_bodies(product: Product, crowd: Crowd, is_over: threading.Event) -> None:
    def chunks() -> Iterator[bytes]:
        # {"name": [[[[...
        yield b'{"name": '
        for _ in range(HUGE_BODY_BYTES >> 16):
            yield b"[" * (1 << 16)

    while not is_over.is_set():
        crowd.add("bodies", _status(product, "PATCH", "/api/v1/traces/abcdefghijkl", chunks()))


def _send_slow_heads(sockets: _Sockets, crowd: Crowd, is_over: threading.Event) -> None:
    while not is_over.is_set():
        try:
            connection = sockets.open(b"GET /healthz HTTP/1.1\r\n")
            while not is_over.wait(0.5):
                connection.sendall(b"X-Slow: 1\r\n")
        except OSError:
            crowd.add("slow heads", 0)


def _status(product: Product, method: str, path: str, body: Iterator[bytes] | None = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=60)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return 0
    else:
        return answer.status
    finally:
        connection.close()


class _Watch:
    """Somebody who wants little, and asks for it all the time."""

    def __init__(self, product: Product, paths: tuple[str, ...], is_over: threading.Event) -> None:
        self.seconds: list[float] = []
        self.failures: list[str] = []
        self._product = product
        self._paths = paths
        self._is_over = is_over

    def run(self) -> None:
        while not self._is_over.wait(0.05):
            for path in self._paths:
                began = time.monotonic()
                try:
                    status = self._product.request("GET", path, seconds=20).status
                except (OSError, http.client.HTTPException) as failure:
                    self.failures.append(f"{path}: {failure!r}")
                    continue
                self.seconds.append(time.monotonic() - began)
                if status != 200:
                    self.failures.append(f"{path}: {status}")
                if self.seconds[-1] > LONGEST_SECONDS:
                    self.failures.append(f"{path}: {self.seconds[-1]:.2f} s")


def _judge(outcome: Outcome, crowd: Crowd) -> None:
    for what, found in sorted(crowd.told.items()):
        outcome.tried += found.total()
        outcome.figures.append(
            (what, ", ".join(f"{count} times {status}" for status, count in found.most_common()))
        )
        for status in found.keys() - TOLD[what]:
            outcome.failures.append(f"{what}: {found[status]} times {status}")


def _peak_bytes(pid: int) -> int:
    # VmHWM:    123456 kB
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))


ATTACK = Attack(
    name="crowd",
    promise="health, the catalog and facts of traces are answered within a second whatever others do",
    run=run,
)
