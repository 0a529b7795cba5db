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
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import BinaryIO

HANG_SECONDS = 30.0
PROCESSES = os.cpu_count() or 1

_LENGTH = struct.Struct("<Q")
_FRAME = struct.Struct("<BI")
_COUNTS = ("event_count", "call_count", "lost_events", "used_bytes", "skipped_bytes", "expanded_bytes")


@dataclass(frozen=True)
class Input:
    """Bytes to read. They are made when they are due, for there may be thousands."""

    name: str
    make: Callable[[], bytes]


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

    @property
    def record_count(self) -> int:
        return self.event_count + self.call_count

    @property
    def is_broken(self) -> bool:
        return self.outcome not in ("ready", "failed")


def import_each(inputs: Iterable[Input], processes: int = PROCESSES) -> Iterator[Imported]:
    """The answers, in the order of the inputs."""
    workers = threading.local()
    started: list[_Worker] = []

    def read(item: Input) -> Imported:
        worker: _Worker | None = getattr(workers, "worker", None)
        if worker is None:
            worker = workers.worker = _Worker()
            started.append(worker)
        return worker.read(item.name, item.make())

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

    def read(self, name: str, content: bytes) -> Imported:
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise RuntimeError("the process was started without pipes")
        try:
            requests.write(_LENGTH.pack(len(content)) + content)
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
    while head := sys.stdin.buffer.read(_LENGTH.size):
        content = sys.stdin.buffer.read(_LENGTH.unpack(head)[0])
        with _memory_file() as source, _memory_file() as sink, tempfile.TemporaryFile() as scratch:
            source.write(content)
            source.seek(0)
            began = time.process_time()
            _ftrace.import_trace(source.fileno(), scratch.fileno(), sink.fileno(), 1, limits, is_whole=True)
            used = {"peak_bytes": _peak_bytes(), "cpu_seconds": time.process_time() - began}
            sink.seek(0)
            answer = _answer(sink) | used
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
