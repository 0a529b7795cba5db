"""Uploads recordings to a service, and prints their permalinks."""

import argparse
import glob
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Item, Refusal
from jitterscope.terminal.server import Server, add_server, labels_of, path_of, server_of
from jitterscope.terminal.text import plain

_COPY_BYTES = 1 << 20
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
        "--json", action="store_true", help="print a line of JSON a recording, as REST has it"
    )
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Uploads each file; one that is refused does not keep the others. Returns the exit status."""
    failures = Failures()
    with failures.told():
        server = server_of(arguments)
        described = {"labels": json.dumps(labels_of(arguments.label))}
        if arguments.name:
            described["name"] = arguments.name
        if arguments.of_trace:
            described["with"] = arguments.of_trace
        for file in _matching(arguments.files):
            with failures.told():
                trace = upload(server, file, described)
                if arguments.wait:
                    trace = wait_for(server, trace)
                print(json.dumps(trace) if arguments.json else plain(trace["url"]), flush=True)
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
        shown = _Shown(file, filename, size_bytes)
        trace: Item = server.upload(shown, size_bytes, {"filename": filename, **described})
        shown.end()
    return trace


def wait_for(server: Server, trace: Item) -> Item:
    """The trace, once it is ready or failed. Raises: ServerRefusal."""
    while trace["status"] not in _FINAL:
        trace = server.get(path_of(trace["id"]), {"wait": _WAIT_SECONDS})
    return trace


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


class _Shown:
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
