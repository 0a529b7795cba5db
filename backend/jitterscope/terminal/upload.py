"""Uploads recordings to a service, and prints their permalinks."""

import argparse
import glob
import hashlib
import json
import os
import sys
import tempfile
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from jitterscope.store.trace_ids import candidate_ids
from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Item, Refusal
from jitterscope.terminal.server import Server, add_server, labels_of, path_of, server_of
from jitterscope.terminal.text import plain

_COPY_BYTES = 1 << 20
# Less is sent in the time that a question takes.
_WORTH_ASKING_BYTES = 1 << 20
# Less is sent again in a moment.
_WORTH_CONTINUING_BYTES = 16 << 20
# Less than the service holds an answer at most.
_WAIT_SECONDS = 20
_FINAL = {"ready", "failed"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="recordings, patterns of them, or - for standard input"
    )
    parser.add_argument("--label", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--name", help="shown instead of the file's name")
    parser.add_argument(
        "--with", dest="of_trace", metavar="TRACE", help="of measurements: the trace of the same run"
    )
    parser.add_argument(
        "--wait", action="store_true", help="until loading has ended, and fail where it failed"
    )
    parser.add_argument(
        "--why", action="store_true", help="wait, print the sentence of the worst case, and link to it"
    )
    parser.add_argument(
        "--json", action="store_true", help="print a line of JSON a recording, as REST has it"
    )
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Uploads each file; one that is refused does not keep the others. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        server = server_of(arguments)
        described = {"labels": json.dumps(labels_of(arguments.label))}
        if arguments.name:
            described["name"] = arguments.name
        if arguments.of_trace:
            described["with"] = arguments.of_trace
        for file in _matching(arguments.files):
            with failures.catch():
                trace = upload(server, file, described)
                if arguments.wait or arguments.why:
                    trace = wait_for(server, trace)
                if arguments.json:
                    print(json.dumps(trace), flush=True)
                else:
                    lines = _why(server, trace) if arguments.why else [trace["url"]]
                    print("\n".join(map(plain, lines)), flush=True)
                if trace["status"] == "failed":
                    raise Refusal(f"{file}: {trace['error']['sentence']}")
    return failures.status


def upload(server: Server, path: str, described: dict[str, str]) -> Item:
    """The trace that a file becomes.

    Raises: Refusal, ServerRefusal.
    """
    with _opened(path) as file:
        size_bytes = os.fstat(file.fileno()).st_size
        filename = "standard-input" if path == "-" else os.path.basename(path)  # noqa: PTH119 (as elsewhere)
        said = {"filename": filename, **described}
        is_asked = size_bytes >= _WORTH_ASKING_BYTES
        sha256 = _hash(file) if is_asked else ""
        if is_asked and (known := _known(server, sha256, described)):
            return known
        shown = ShownFile(file, filename, size_bytes)
        if size_bytes < _WORTH_CONTINUING_BYTES:
            trace = server.upload(shown, size_bytes, said)
        else:
            from jitterscope.terminal.resumable import send  # noqa: PLC0415 (few files are that big)

            trace = send(server, shown, size_bytes, sha256, said)
        shown.end()
    return trace


def _hash(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := file.read(_COPY_BYTES):
        digest.update(block)
    return digest.hexdigest()


def _known(server: Server, sha256: str, described: dict[str, str]) -> Item | None:
    """The trace of these bytes that is there already, labelled as an upload would label it; else None.

    So a list of files of which an upload was cut is gone through again without sending what had arrived.
    Raises: ServerRefusal.
    """
    for trace_id in candidate_ids(sha256):
        trace = server.find(path_of(trace_id))
        if trace is None:
            return None
        if trace["sha256"] == sha256:
            labels = json.loads(described["labels"])
            if (of_trace := described.get("with")) is not None:
                labels["with"] = of_trace
            return server.send("PATCH", path_of(trace_id), change={"labels": labels}) if labels else trace
    return None


def wait_for(server: Server, trace: Item) -> Item:
    """The trace, once it is ready or failed. Raises: ServerRefusal."""
    while trace["status"] not in _FINAL:
        trace = server.get(path_of(trace["id"]), {"wait": _WAIT_SECONDS})
    return trace


def link_of(server: Server, trace: Item, case: str) -> str:
    """The permalink of a case. Raises: ServerRefusal."""
    url: str = server.get(_path_of_case(trace, case))["url"]
    return url


def picture_of(server: Server, trace: Item, case: str) -> str:
    """Where the ruler of a case is as a picture."""
    return server.address_of(f"{_path_of_case(trace, case)}?format=svg")


def _path_of_case(trace: Item, case: str) -> str:
    return f"{path_of(trace['id'])}/latencies/{urllib.parse.quote(case, safe='')}"


def _why(server: Server, trace: Item) -> list[str]:
    """The worst case in a sentence, and where it is; where there is none, the permalink of the trace."""
    worst = trace["worst"]
    if worst is None or worst["id"] is None:
        return [trace["url"]]
    return [worst["headline"], link_of(server, trace, worst["id"])]


def _matching(files: Sequence[str]) -> Iterator[str]:
    """Patterns that no shell has expanded, such as those in a file for a build server, are expanded here."""
    for file in files:
        found = sorted(glob.glob(file)) if file != "-" and not os.path.exists(file) else []  # noqa: PTH110, PTH207
        yield from found or [file]


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """The file. Standard input is kept first: its size is to be known, and it may have to be sent twice."""
    if path != "-":
        try:
            file = open(path, "rb")  # noqa: PTH123, SIM115 (closed below)
        except OSError as error:
            raise Refusal(f"{path}: {error.strerror}") from error
        with file:
            yield file
        return
    with tempfile.TemporaryFile() as kept:
        while block := sys.stdin.buffer.read(_COPY_BYTES):
            kept.write(block)
        kept.flush()
        yield kept


class ShownFile:
    """A file that shows how much of it was read, on a terminal."""

    def __init__(self, file: IO[bytes], name: str, size_bytes: int) -> None:
        self._file = file
        self._name = plain(name)
        self._size_bytes = size_bytes
        self._is_shown = sys.stderr.isatty()
        self._percent = -1

    def read(self, count: int = -1) -> bytes:
        block = self._file.read(count)
        percent = 100 * self._file.tell() // max(1, self._size_bytes)
        if self._is_shown and percent != self._percent:
            self._percent = percent
            print(f"\r{self._name}: {percent} %", end="", file=sys.stderr, flush=True)
        return block

    def seek(self, place: int) -> int:
        return self._file.seek(place)

    def end(self) -> None:
        if self._is_shown:
            print(f"\r{'':<{len(self._name) + 7}}\r", end="", file=sys.stderr, flush=True)
