"""Reads many inputs with the core, each in a process that may crash, hang or grow without harm to the attack.

As a script it is such a process: inputs come on its standard input, answers go to its standard output.
"""

import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from jitterscope import _ftrace

HANG_SECONDS = 30.0
PROCESSES = os.cpu_count() or 1

# The length of the input, and whether its events are asked for.
_REQUEST = struct.Struct("<Q?")
_FRAME = struct.Struct("<BI")
_COUNTS = ("event_count", "call_count", "lost_events", "used_bytes", "skipped_bytes", "expanded_bytes")


@dataclass(frozen=True)
class Input:
    """Bytes to read. They are made when they are due, for there may be thousands."""

    name: str
    make: Callable[[], bytes]
    # Whether to list the events that it holds: of each a number that stands for all that it says.
    with_events: bool = False


@dataclass(frozen=True)
class Imported:
    """What the core made of an input. `outcome` is `ready`, `failed`, `crashed` or `hung`."""

    name: str
    outcome: str
    size_bytes: int
    peak_bytes: int = 0
    cpu_seconds: float = 0.0
    # `code` of the refusal, or what the process said last.
    error: str = ""
    event_count: int = 0
    call_count: int = 0
    lost_events: int = 0
    loss_count: int = 0
    used_bytes: int = 0
    skipped_bytes: int = 0
    expanded_bytes: int = 0
    # Occurrences by code; those of severity `info` apart.
    problems: dict[str, int] = field(default_factory=dict)
    infos: dict[str, int] = field(default_factory=dict)
    event_hashes: list[int] = field(default_factory=list)

    @property
    def record_count(self) -> int:
        return self.event_count + self.call_count

    @property
    def is_broken(self) -> bool:
        return self.outcome not in ("ready", "failed")

    def says_more_than(self, whole: "Imported") -> bool:
        """Whether there is a diagnostic or a loss that another reading does not have."""
        before, after = whole.problems | whole.infos, self.problems | self.infos
        is_worse = any(count > before.get(code, 0) for code, count in after.items())
        return is_worse or self.loss_count > whole.loss_count or self.lost_events > whole.lost_events


def import_each(inputs: Iterable[Input], processes: int = PROCESSES) -> Iterator[Imported]:
    """The answers, in the order of the inputs."""
    workers = threading.local()
    started: list[_Worker] = []

    def read(item: Input) -> Imported:
        worker: _Worker | None = getattr(workers, "worker", None)
        if worker is None:
            worker = workers.worker = _Worker()
            started.append(worker)
        return worker.read(item, item.make())

    with ThreadPool(processes) as pool:
        try:
            yield from pool.imap(read, inputs)
        finally:
            for worker in started:
                worker.stop()


class _Worker:
    """A process of this script; a new one after each that breaks."""

    def __init__(self) -> None:
        self._process = self._start()

    def read(self, item: Input, content: bytes) -> Imported:
        name = item.name
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise RuntimeError("the process was started without pipes")
        try:
            requests.write(_REQUEST.pack(len(content), item.with_events) + content)
            requests.flush()
        except BrokenPipeError:
            return self._broken(name, content, "crashed")
        if not select.select([answers], [], [], HANG_SECONDS)[0]:
            return self._broken(name, content, "hung")
        answer = answers.readline()
        if not answer.endswith(b"\n"):
            return self._broken(name, content, "crashed")
        return Imported(name=name, size_bytes=len(content), **json.loads(answer))

    def _start(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, stderr=pipe)

    def _broken(self, name: str, content: bytes, outcome: str) -> Imported:
        process = self._process
        if outcome == "hung":
            process.kill()
        _, said = process.communicate()
        self._process = self._start()
        error = f"{said.decode(errors='replace')[-300:]} (exit status {process.returncode})"
        return Imported(name=name, outcome=outcome, size_bytes=len(content), error=error)

    def stop(self) -> None:
        self._process.communicate()


def main() -> None:
    from jitterscope import _ftrace  # noqa: PLC0415 (only in the process that may break)
    from jitterscope.settings import Settings  # noqa: PLC0415

    limits = Settings().limits_json
    while head := sys.stdin.buffer.read(_REQUEST.size):
        length, with_events = _REQUEST.unpack(head)
        content = sys.stdin.buffer.read(length)
        with _memory_file() as source, _memory_file() as sink, tempfile.TemporaryFile() as scratch:
            source.write(content)
            source.seek(0)
            began = time.process_time()
            _ftrace.import_trace(source.fileno(), scratch.fileno(), sink.fileno(), 1, limits, is_whole=True)
            used = {"peak_bytes": _peak_bytes(), "cpu_seconds": time.process_time() - began}
            sink.seek(0)
            answer = _answer(sink) | used
            if with_events and answer["outcome"] == "ready":
                sink.seek(0)
                answer["event_hashes"] = _event_hashes(_ftrace.Recordings(), sink)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


def _memory_file() -> BinaryIO:
    return os.fdopen(os.memfd_create("torture"), "w+b")


def _answer(frames: BinaryIO) -> dict[str, object]:
    problems: dict[str, int] = {}
    infos: dict[str, int] = {}
    found: dict[str, object] = {"outcome": "crashed", "error": "no last frame"}
    loss_count = 0
    while header := frames.read(_FRAME.size):
        tag, length = _FRAME.unpack(header)
        payload = frames.read(length)
        match chr(tag):
            case "R":
                problems, infos, loss_count = {}, {}, 0
            case "T":
                table, rows = payload[1 : 1 + payload[0]], payload[1 + payload[0] :]
                if table == b"loss":
                    loss_count += sum(1 for _ in _rows(rows))
                elif table == b"diagnostic":
                    for _key, code, severity, count, *_ in _rows(rows):
                        by_code = infos if severity == b"info" else problems
                        by_code[code.decode()] = int.from_bytes(count)
            case "S":
                summary = json.loads(payload)
                found = {"outcome": "ready"} | {name: summary[name] for name in _COUNTS}
            case "E":
                found = {"outcome": "failed", "error": json.loads(payload)["code"]}
    return found | {"problems": problems, "infos": infos, "loss_count": loss_count}


def _event_hashes(recordings: "_ftrace.Recordings", frames: BinaryIO) -> list[int]:
    """Of each event, from its time to its text."""
    with tempfile.TemporaryFile() as scratch:
        _, known = recordings.receive("t", "t", 1, scratch.fileno(), frames.fileno())
        origin_ns = int(json.loads(known).get("origin_ns") or 0)
        hashes: list[int] = []
        question: dict[str, object] = {"trace": "t", "limit": 1_000}
        while True:
            page = json.loads(recordings.ask("events", json.dumps(question)))
            for event in page["items"]:
                told = [event[name] for name in ("cpu", "buffer", "pid", "comm", "event", "raw")]
                text = json.dumps([event["t"] + origin_ns, *told])
                hashes.append(int.from_bytes(blake2b(text.encode(), digest_size=8).digest()))
            question["cursor"] = page.get("next_cursor")
            if not question["cursor"]:
                return hashes


def _rows(stream: bytes) -> Iterator[list[bytes]]:
    """The fields of each row of a binary COPY stream; of a NULL none."""
    at = 19
    while at + 2 <= len(stream) and (count := int.from_bytes(stream[at : at + 2], signed=True)) >= 0:
        at += 2
        row = []
        for _ in range(count):
            length = max(int.from_bytes(stream[at : at + 4], signed=True), 0)
            row.append(stream[at + 4 : at + 4 + length])
            at += 4 + length
        yield row


def _peak_bytes() -> int:
    """The largest resident size of this process so far."""
    # VmHWM:     10240 kB
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


if __name__ == "__main__":
    main()
