"""Uploads and deletions that the product acknowledged, checked against what it holds."""

import contextlib
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from product import Product, ProductError

from jitterscope.store.placement import DISTRIBUTED

_LINES = (
    "          <idle>-0       [{cpu:03}] d.h2. {t}: sched_waking: comm=rt{n} pid=9 prio=89 "
    "target_cpu={cpu:03}\n"
    "          <idle>-0       [{cpu:03}] d..2. {u}: sched_switch: prev_comm=swapper/{cpu} prev_pid=0 "
    "prev_prio=120 prev_state=R ==> next_comm=rt{n} next_pid=9 next_prio=89\n"
    "             rt{n}-9     [{cpu:03}] d..2. {v}: sched_switch: prev_comm=rt{n} prev_pid=9 "
    "prev_prio=89 prev_state=S ==> next_comm=swapper/{cpu} next_pid=0 next_prio=120\n"
)
# Wakeups of a recording: from one that is loaded at once to one that takes a second or two.
SHAPES = (300, 8_000, 30_000)

Counts = dict[str, int]


def recording(shape: int, number: int) -> bytes:
    """A text recording of so many wakeups; each number gives other bytes, and rows of the same counts."""
    lines = ["# tracer: nop\n#\n"]
    for wakeup in range(SHAPES[shape]):
        begin_us = 100_000_000 + 50 * wakeup
        t, u, v = (
            f"{us // 1_000_000}.{us % 1_000_000:06}" for us in (begin_us, begin_us + 10, begin_us + 20)
        )
        lines.append(_LINES.format(cpu=wakeup % 4, n=number % 100_000 + 100_000, t=t, u=u, v=v))
    return "".join(lines).encode()


@dataclass
class Account:
    """One content: how often it was sent, and what was answered."""

    shape: int
    sha256: str
    trace_id: str = ""
    send_count: int = 0
    # Sent without an answer: such an upload may still happen, so it is never over.
    unanswered_count: int = 0
    delete_count: int = 0
    is_deleting: bool = False
    # Owed: acknowledged, and no deletion since. Gone: deleted, and not sent since nor still under way.
    is_owed: bool = False
    is_gone: bool = False


class Ledger:
    """Written by several threads. Where an upload and a deletion of one content overlap, nothing is owed."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._lock = threading.Lock()
        self.acknowledged_count = 0
        self.deleted_count = 0

    def accounts(self) -> list[Account]:
        with self._lock:
            return list(self._accounts.values())

    @contextlib.contextmanager
    def sending(self, content: bytes, shape: int) -> Iterator[Callable[[str | None], None]]:
        """Around an upload; the block calls what it gets with the trace's id, or None if that is refused."""
        sha256 = hash_of(content)
        with self._lock:
            account = self._accounts.setdefault(sha256, Account(shape, sha256))
            account.send_count += 1
            account.unanswered_count += 1
            account.is_gone = False
            deletions_before = account.delete_count

        def answered(trace_id: str | None) -> None:
            with self._lock:
                account.unanswered_count -= 1
                if trace_id is None:
                    return
                self.acknowledged_count += 1
                account.trace_id = trace_id
                account.is_owed = not account.is_deleting and account.delete_count == deletions_before

        yield answered

    @contextlib.contextmanager
    def deleting(self, account: Account) -> Iterator[Callable[[], None]]:
        """Around a deletion; the block calls what it gets once that is acknowledged."""
        with self._lock:
            account.is_owed = False
            account.is_deleting = True
            account.delete_count += 1
            sends_before = account.send_count

        def acknowledge() -> None:
            with self._lock:
                self.deleted_count += 1
                account.is_deleting = False
                account.is_gone = account.send_count == sends_before and not account.unanswered_count

        # A deletion without an answer may still happen, so it is never over.
        yield acknowledge


def database_url(product: Product) -> str:
    """The address that the product's own processes use.

    Raises: ProductError while none of them runs.
    """
    for pid in product.pids("api"):
        for variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            if variable.startswith(b"DATABASE_URL="):
                return os.fsdecode(variable.partition(b"=")[2])
    raise ProductError("no web server runs")


def row_counts(connection: psycopg.Connection) -> dict[str, tuple[str, str, Counts]]:
    """By trace id, its state, its hash and its rows in each table, all at one moment.

    Rows that belong to no trace are counted under an empty id.
    """
    counts = " UNION ALL ".join(
        f"SELECT '{table}' AS source, trace_key, count(*) AS row_count FROM {table} GROUP BY 2"  # noqa: S608
        for table in DISTRIBUTED
    )
    query = f"""
        SELECT coalesce(trace.id, ''), coalesce(status, ''), coalesce(sha256, ''), source, row_count
          FROM trace FULL JOIN ({counts}) AS rows ON trace.key = rows.trace_key
    """  # noqa: S608 (constants)
    found: dict[str, tuple[str, str, Counts]] = {}
    for trace_id, status, sha256, table, count in connection.execute(query.encode()).fetchall():
        entry = found.setdefault(trace_id, (status, sha256, {}))
        if table is not None:
            entry[2][table] = count
    return found


def half_visible(
    found: dict[str, tuple[str, str, Counts]], ledger: Ledger, golden: dict[int, Counts]
) -> list[str]:
    """Traces whose rows are not exactly those of an undisturbed load when ready, and none before."""
    shape_of = {account.sha256: account.shape for account in ledger.accounts()}
    wrong = []
    for trace_id, (status, sha256, counts) in found.items():
        if not trace_id:
            wrong.append(f"rows without a trace: {counts}")
        elif status != "ready" and counts:
            wrong.append(f"{trace_id} is {status} and has rows: {counts}")
        elif status == "ready" and sha256 in shape_of and counts != golden[shape_of[sha256]]:
            wrong.append(f"{trace_id} is ready with {counts} instead of {golden[shape_of[sha256]]}")
    twice = [
        sha for sha, count in Counter(sha256 for _, sha256, _ in found.values()).items() if sha and count > 1
    ]
    return wrong + [f"{sha256} is more than one trace" for sha256 in twice]


def hash_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
