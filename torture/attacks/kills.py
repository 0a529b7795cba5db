"""Kills every process of the product at random moments, while it receives, loads, deletes and backs up."""

import contextlib
import http.client
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
from attack import Attack, Extent, Outcome
from in_parts import send_in_parts
from ledger import SHAPES, Counts, Ledger, database_url, half_visible, hash_of, recording, row_counts
from processes import Role
from product import Product, ProductError

ROLES: tuple[Role, ...] = ("child", "worker", "api", "backend", "postmaster", "run")
STUCK_SECONDS = 60
UPLOADERS = 2
# Traces that may wait to be loaded; more would only measure the length of the queue.
MOST_WAITING = 3
# The catalog does not grow without bound over a long run.
MOST_TRACES = 25
AWAY = (OSError, http.client.HTTPException, ProductError, psycopg.Error)


@dataclass
class Siege:
    """The product under attack, and what it owes."""

    product: Product
    seed: int
    ledger: Ledger = field(default_factory=Ledger)
    golden: dict[int, Counts] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    back_seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    look_count: int = 0
    backup_count: int = 0
    continued_count: int = 0
    backing_up: threading.Lock = field(default_factory=threading.Lock)
    is_over: threading.Event = field(default_factory=threading.Event)
    _numbers: Iterator[int] = field(default_factory=lambda: iter(range(1_000, 10**9)))

    def learn(self) -> None:
        """Loads each shape undisturbed, to know its rows."""
        for shape in range(len(SHAPES)):
            content = recording(shape, shape)
            with self.ledger.sending(content, shape) as answered:
                trace = self.product.load(content)
                answered(trace["id"])
            with psycopg.connect(database_url(self.product)) as connection:
                self.golden[shape] = row_counts(connection)[trace["id"]][2]

    def upload_on(self, rng: random.Random) -> None:
        while not self.is_over.is_set():
            with contextlib.suppress(*AWAY):
                self._upload_one(rng)
            time.sleep(rng.random() * 0.3)

    def delete_on(self, rng: random.Random) -> None:
        while not self.is_over.is_set():
            owed = [account for account in self.ledger.accounts() if account.is_owed]
            if owed and (len(owed) > MOST_TRACES or rng.random() < 0.2):
                account = rng.choice(owed)
                path = f"/api/v1/traces/{quote(account.trace_id)}"
                with contextlib.suppress(*AWAY), self.ledger.deleting(account) as acknowledge:
                    if self.product.request("DELETE", path).status == 204:
                        acknowledge()
            time.sleep(rng.random())

    def back_up_on(self, rng: random.Random) -> None:
        """One backup after the other into the same folder, half of them killed on the way."""
        while not self.is_over.wait(2):
            with self.backing_up:
                process = subprocess.Popen(
                    self._command("backup"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                if rng.random() < 0.5:
                    time.sleep(rng.random() * 3)
                    process.kill()
                process.wait()
            self.backup_count += 1

    def look_on(self) -> None:
        """Nothing half visible at any moment, as far as one statement can see."""
        while not self.is_over.is_set():
            with contextlib.suppress(*AWAY), psycopg.connect(database_url(self.product)) as connection:
                while not self.is_over.wait(0.3):
                    self.failures += half_visible(row_counts(connection), self.ledger, self.golden)
                    connection.rollback()
                    self.look_count += 1
            self.is_over.wait(0.2)

    def kill_one(self, role: Role, rng: random.Random) -> bool:
        """Whether a process with this role was there to be killed; returns when the service is back."""
        if self.product.kill(role, which=rng.randrange(100)) is None:
            return False
        began = time.monotonic()
        if role == "run":
            # A backup without a service would start the database itself, and `run` would be refused.
            with self.backing_up:
                self.product.wait_until_gone()
                self.product.start()
        back = self.seconds_until_loading(began)
        if back is None:
            self.failures.append(f"not back {STUCK_SECONDS} s after a kill of {role}")
        else:
            self.back_seconds[role].append(back)
        return True

    def seconds_until_loading(self, began: float) -> float | None:
        """Seconds from `began` until a new small recording was taken and is ready."""
        content = recording(0, next(self._numbers))
        while time.monotonic() - began < STUCK_SECONDS:
            with contextlib.suppress(*AWAY):
                trace_id = self._send(content, 0)
                # Asked again and again: what would wake a waiting request may be away, too.
                until = time.monotonic() + 5
                while trace_id and time.monotonic() < until:
                    if self.product.ask(f"/api/v1/traces/{quote(trace_id)}")["status"] == "ready":
                        return time.monotonic() - began
                    time.sleep(0.05)
            time.sleep(0.05)
        return None

    def _command(self, what: str) -> list[str]:
        folder = self.product.data.parent / "backup"
        keep = ["--keep", "3"] if what == "backup" else []
        return [
            sys.executable,
            "-m",
            "jitterscope",
            what,
            str(folder),
            "--data",
            str(self.product.data),
            *keep,
        ]

    def settle(self) -> None:
        """At the end nothing is lost, stuck, doubled or left over."""
        deadline = time.monotonic() + STUCK_SECONDS
        while time.monotonic() < deadline and self._unfinished():
            time.sleep(0.5)
        self.failures += [f"{trace_id} is stuck as {status}" for trace_id, status in self._unfinished()]
        with psycopg.connect(database_url(self.product)) as connection:
            found = row_counts(connection)
        self.failures += half_visible(found, self.ledger, self.golden)
        for account in self.ledger.accounts():
            trace_id = account.trace_id
            status = found[trace_id][0] if trace_id in found else "not there"
            if account.is_gone and trace_id in found:
                self.failures.append(
                    f"{trace_id} was deleted and is there; it was sent {account.send_count} times"
                )
            elif account.is_owed and status != "ready":
                self.failures.append(f"{trace_id} was acknowledged and is {status}")
            elif account.is_owed:
                raw = self.product.request("GET", f"/api/v1/traces/{quote(trace_id)}/raw")
                if hash_of(raw.body) != account.sha256:
                    self.failures.append(f"{trace_id} has other bytes than were uploaded")

        for what in ("backup", "verify"):
            done = subprocess.run(self._command(what), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                self.failures.append(f"{what}: {done.stdout[-200:]} {done.stderr[-500:]}")

    def _unfinished(self) -> list[tuple[str, str]]:
        with contextlib.suppress(*AWAY), psycopg.connect(database_url(self.product)) as connection:
            rows = connection.execute("SELECT id, status FROM trace WHERE status NOT IN ('ready', 'failed')")
            return rows.fetchall()
        return [("the service", "away")]

    def _upload_one(self, rng: random.Random) -> None:
        if len(self._unfinished()) >= MOST_WAITING:
            return
        shape = rng.randrange(len(SHAPES))
        # Sometimes the same bytes from two clients, or once more after a deletion.
        number = rng.randrange(20) if rng.random() < 0.3 else next(self._numbers)
        if rng.random() < 0.3:
            self._send_in_parts(recording(shape, number), shape, rng.randrange(1, 6))
            return
        pause_seconds = 0.05 if rng.random() < 0.5 else 0.0
        self._send(recording(shape, number), shape, pause_seconds)

    def _send_in_parts(self, content: bytes, shape: int, part_count: int) -> None:
        """An upload that outlives every kill: it is taken in the end, or that is a failure."""
        with self.ledger.sending(content, shape) as answered:
            try:
                answered(send_in_parts(self.product, content, part_count, STUCK_SECONDS))
            except ProductError as refusal:
                self.failures.append(str(refusal))
                return
        self.continued_count += 1

    def _send(self, content: bytes, shape: int, pause_seconds: float = 0.0) -> str | None:
        """The trace's id if the upload was acknowledged. With a pause, the body takes about half a second."""

        def chunks() -> Iterator[bytes]:
            step = max(1, len(content) // 10)
            for start in range(0, len(content), step):
                yield content[start : start + step]
                time.sleep(pause_seconds)

        connection = http.client.HTTPConnection("127.0.0.1", self.product.port, timeout=30)
        headers = {"Content-Length": str(len(content)), "Content-Type": "application/octet-stream"}
        with contextlib.closing(connection), self.ledger.sending(content, shape) as answered:
            try:
                connection.connect()
            except ConnectionRefusedError:
                answered(None)
                raise
            connection.request("POST", "/api/v1/traces?filename=k.txt", chunks(), headers)
            response = connection.getresponse()
            body = response.read()
            is_taken = response.status in (200, 202)
            trace_id = str(json.loads(body)["id"]) if is_taken else None
            answered(trace_id)
            return trace_id


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    folder = Path(tempfile.mkdtemp(prefix="jitterscope-kills-"))
    rng = random.Random(extent.seed)  # noqa: S311 (repeatable, not secret)
    with Product(folder) as product:
        siege = Siege(product, extent.seed)
        siege.learn()
        threads = [threading.Thread(target=siege.look_on)]
        for number, work in enumerate([*[siege.upload_on] * UPLOADERS, siege.delete_on, siege.back_up_on]):
            own = random.Random(f"{extent.seed} {number}")  # noqa: S311 (repeatable, not secret)
            threads.append(threading.Thread(target=work, args=(own,)))
        for thread in threads:
            thread.start()
        try:
            while outcome.tried < extent.pick(6, 200):
                role = ROLES[outcome.tried % len(ROLES)]
                time.sleep(rng.random() * 2)
                outcome.tried += siege.kill_one(role, rng)
        finally:
            siege.is_over.set()
            for thread in threads:
                thread.join()
        siege.settle()
    shutil.rmtree(folder, ignore_errors=True)
    outcome.failures = siege.failures
    outcome.figures = [
        ("uploads acknowledged", str(siege.ledger.acknowledged_count)),
        ("of them in parts", str(siege.continued_count)),
        ("traces deleted", str(siege.ledger.deleted_count)),
        ("backups begun", str(siege.backup_count)),
        ("looks for half visible traces", str(siege.look_count)),
    ]
    everything = [seconds for found in siege.back_seconds.values() for seconds in found]
    for name, seconds in [*siege.back_seconds.items(), ("any", everything)]:
        figure = f"{statistics.median(seconds):.1f} s (at most {max(seconds):.1f} s)"
        outcome.figures.append((f"median to load again, {name}", figure))
    outcome.require(
        holds=statistics.median(everything) <= 5, otherwise="half of the kills take more than 5 s to get over"
    )
    return outcome


ATTACK = Attack(
    "kills",
    "Whatever is killed, nothing is lost, half visible or stuck, and the service is back in seconds.",
    run,
    is_only_long=True,
)
