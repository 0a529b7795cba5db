"""Makes each system call of an upload and a load fail in turn: in web server, worker and child."""

import asyncio
import contextlib
import hashlib
import http.client
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
from attack import Attack, Extent, Outcome
from faulting import FAULTS, HARMLESS, SOCKETS, Control, Fault, Faulty, compile_shim
from ledger import Counts, hash_of, recording, row_counts
from product import Answer, Product

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.ingest.frames import BrokenFrames, ErrorFrame, ProgressFrame, SummaryFrame, TableFrame
from jitterscope.ingest.parser_process import ParserProcess
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore

# The short form tries these; the long one every call there is.
SHORT_NUMBERS = (1, 2)
SHORT_KINDS = ("write", "fsync", "rename", "open")
LOAD_SECONDS = 60


class Bench:
    """A database, and the product's processes on it, each under a control of its own."""

    def __init__(self, folder: Path, postgres: EmbeddedPostgres) -> None:
        self.folder = folder
        self.outcome = Outcome()
        self.library = compile_shim(folder)
        self.url = postgres.ensure_database("faults")
        self.product = Product(folder)
        self.environment = {
            "DATABASE_URL": self.url,
            "JITTERSCOPE_DATA": str(folder / "data"),
            "JITTERSCOPE_PORT": str(self.product.port),
        }
        command = [sys.executable, "-m", "jitterscope", "migrate"]
        subprocess.run(command, env=os.environ | self.environment, check=True)
        self._number = 0

    @contextlib.contextmanager
    def running(self, command: str) -> Iterator[tuple[Control, Faulty]]:
        control = Control(self.library, self.folder / f"{command}.control")
        process = Faulty(command, control, self.environment, self.folder)
        try:
            yield control, process
        finally:
            process.stop()

    def content(self) -> bytes:
        self._number += 1
        return recording(0, self._number)

    def rows(self) -> dict[str, tuple[str, str, Counts]]:
        with psycopg.connect(self.url) as connection:
            return row_counts(connection)

    def is_stored(self, sha256: str) -> bool:
        blob = self.folder / "data" / "store" / sha256[:2] / sha256
        return blob.exists() and hashlib.sha256(blob.read_bytes()).hexdigest() == sha256

    def fail(self, where: str, fault: Fault, why: str) -> None:
        self.outcome.failures.append(f"{where}, {fault}: {why}")


def every_fault(
    where: str, kinds: Iterable[str], most: int, is_long: bool, attempt: Callable[[Fault], bool]
) -> int:
    """How many faults happened. `attempt` says whether its fault did; the first that did not is the last."""
    happened = 0
    for kind in kinds:
        for how in FAULTS[kind] if is_long else FAULTS[kind][:1]:
            for n in range(1, most + 1) if is_long else SHORT_NUMBERS:
                if not attempt(Fault(kind, n, how)):
                    break
                happened += 1
            if is_long:
                print(f"    {where}: {happened} faults up to {kind} ({how})", flush=True)
    return happened


def attack_upload(bench: Bench, control: Control, api: Faulty, fault: Fault) -> bool:
    """An acknowledged upload is whole, and a refused one is none; the next one is taken."""
    content = bench.content()
    sha256 = hash_of(content)
    control.arm(fault)
    answer: Answer | str
    try:
        answer = bench.product.upload(content)
    except (OSError, http.client.HTTPException) as error:
        answer = repr(error)
    happened = control.disarm()
    wrong = wrong_with_answer(bench, fault, sha256, answer)
    if wrong:
        bench.fail("upload", fault, wrong)
    api.keep_running()
    if api.start_count > 1:
        bench.fail("upload", fault, "the web server ended")
        api.start_count = 1
        bench.product.seconds_until_back()
    try:
        again = bench.product.upload(content)
    except (OSError, http.client.HTTPException) as error:
        # Nothing fails any more, so this one hangs, and so would every upload after it.
        bench.fail("upload", fault, f"the same file again: {error!r}")
        api.restart()
        bench.product.seconds_until_back()
        return happened
    if again.status not in (200, 202) or not bench.is_stored(sha256):
        bench.fail("upload", fault, f"the same file again: {again.status} {again.code}")
    else:
        bench.product.request("DELETE", f"/api/v1/traces/{quote(again.json()['id'])}")
    return happened


def wrong_with_answer(bench: Bench, fault: Fault, sha256: str, answer: Answer | str) -> str:
    """What is false or unclear about the answer to an upload; empty if nothing is."""
    if isinstance(answer, str):
        return "" if fault.kind in SOCKETS else f"no answer: {answer}"
    is_known = sha256 in {sha for _, sha, _ in bench.rows().values()}
    if answer.status in (200, 202):
        return "" if is_known and bench.is_stored(sha256) else "acknowledged, and not whole"
    if not answer.code or answer.code == "internal_error" or fault.how in HARMLESS:
        return f"{answer.status} {answer.code}"
    # After a failure of the server (5xx) a client cannot know, and sends the same bytes again.
    return f"refused with {answer.status}, and there" if is_known and answer.status < 500 else ""


def attack_load(bench: Bench, control: Control, worker: Faulty, golden: Counts, fault: Fault) -> bool:
    """The trace becomes ready with the rows of an undisturbed load, in this worker or the next."""
    control.arm(fault)
    trace_id = bench.product.upload(bench.content()).json()["id"]
    deadline = time.monotonic() + LOAD_SECONDS
    trace = bench.product.ask(f"/api/v1/traces/{quote(trace_id)}")
    while trace["status"] not in ("ready", "failed") and time.monotonic() < deadline:
        worker.keep_running()
        trace = bench.product.ask(f"/api/v1/traces/{quote(trace_id)}?wait=1")
    happened = control.disarm()
    counts = bench.rows()[trace_id][2]
    if trace["status"] != "ready":
        bench.fail("load", fault, f"{trace['status']}: {trace['error']}")
    elif counts != golden:
        bench.fail("load", fault, f"ready with {counts} instead of {golden}")
    bench.product.request("DELETE", f"/api/v1/traces/{quote(trace_id)}")
    return happened


async def parse(settings: Settings, sha256: str, size_bytes: int) -> str | None:
    """A digest of all that the child wrote; None where it said or showed that it did not succeed."""
    blobs = BlobStore(settings)
    with os.fdopen(blobs.open(sha256), "rb") as stored_file:
        async with ParserProcess(settings, blobs, stored_file.fileno(), 1, size_bytes) as parser:
            return await whole_output(parser)


async def whole_output(parser: ParserProcess) -> str | None:
    digest, is_whole = hashlib.sha256(), False
    try:
        async for frame in parser.frames():
            match frame:
                case ErrorFrame():
                    return None
                case TableFrame() as rows:
                    digest.update(rows.table.encode() + bytes(rows.copy_stream))
                case SummaryFrame(summary):
                    digest.update(repr(summary).encode())
                    is_whole = True
                case ProgressFrame() | _:
                    pass
    except BrokenFrames:
        return None
    ended = await parser.exit()
    return digest.hexdigest() if ended.is_clean and is_whole else None


def attack_child(bench: Bench, is_long: bool) -> int:
    """What the child calls a whole import is one, whichever of its calls failed."""
    settings = Settings(data=bench.folder / "data")
    content = bench.content()
    sha256 = hash_of(content)
    blob = BlobStore(settings).path(sha256)
    blob.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(content)
    golden = asyncio.run(parse(settings, sha256, len(content)))
    control = Control(bench.library, bench.folder / "child.control")
    undisturbed, sys.executable = sys.executable, str(control.python(bench.folder))

    def attempt(fault: Fault) -> bool:
        control.arm(fault)
        found = asyncio.run(parse(settings, sha256, len(content)))
        happened = control.disarm()
        if found is not None and found != golden:
            bench.fail("child", fault, "a whole import with other rows")
        return happened

    try:
        kinds = [kind for kind in FAULTS if kind not in SOCKETS]
        return every_fault("child", kinds if is_long else SHORT_KINDS[:1], 5_000, is_long, attempt)
    finally:
        sys.executable = undisturbed
        blob.unlink()


def run(extent: Extent) -> Outcome:
    folder = Path(tempfile.mkdtemp(prefix="jitterscope-faults-"))
    try:
        with EmbeddedPostgres(folder / "postgres") as postgres:
            bench = Bench(folder, postgres)
            _attack(bench, extent.is_long)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return bench.outcome


def _attack(bench: Bench, is_long: bool) -> None:
    counts = {"child": attack_child(bench, is_long)}
    with bench.running("api") as (control, api):
        bench.product.seconds_until_back()
        kinds = FAULTS if is_long else SHORT_KINDS
        counts["web server"] = every_fault(
            "web server", kinds, 200, is_long, lambda fault: attack_upload(bench, control, api, fault)
        )
        if is_long:
            with bench.running("worker") as (hand, worker):
                first = bench.product.load(bench.content())["id"]
                golden = bench.rows()[first][2]
                counts["worker"] = every_fault(
                    "worker",
                    FAULTS,
                    200,
                    is_long,
                    lambda fault: attack_load(bench, hand, worker, golden, fault),
                )
    bench.outcome.tried = sum(counts.values())
    bench.outcome.figures = [
        (f"calls made to fail in the {name}", str(count)) for name, count in counts.items()
    ]


ATTACK = Attack(
    "faults",
    "Whichever system call fails, nothing is called done that is not, and the service goes on.",
    run,
)
