"""Converts a recording, or a window of it, to the format of another tool."""

import argparse
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from jitterscope import _ftrace
from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Recording, Refusal, read_recording

_STANDARD_OUTPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="recording of any format; - is standard input")
    parser.add_argument("--to", required=True, choices=list(_titles()), help="format; docs/exports.md")
    parser.add_argument(
        "--start", "--from-ns", metavar="TIME", help="from the first record, as 10ms, or in ns"
    )
    parser.add_argument("--end", "--to-ns", metavar="TIME", help="end of the window, as --start")
    parser.add_argument("--cpu", metavar="LIST", help="CPUs of the window, as 0,2")
    parser.add_argument(
        "-o", "--output", metavar="OUT", default=_STANDARD_OUTPUT, help="file to write; else standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """Writes the converted recording. Returns the exit status."""
    failures = Failures()
    with failures.told():
        if arguments.output == _STANDARD_OUTPUT and sys.stdout.isatty():
            raise Refusal(f"{arguments.to} is for another program; name a file with -o")
        asked = {name: getattr(arguments, name) for name in ("start", "end", "cpu")}
        recording = read_recording(arguments.file)
        with _output(arguments.output) as output:
            convert(recording, arguments.to, {name: value for name, value in asked.items() if value}, output)
    return failures.status


def convert(recording: Recording, to: str, window: Mapping[str, str], output: int) -> None:
    """Writes to an open file what REST answers at `export`.

    Raises: RequestError of the core for a window that means nothing, OSError.
    """
    recording.write("export", {"format": to, **window}, output)


def _titles() -> dict[str, str]:
    return {entry["name"]: entry["title"] for entry in json.loads(_ftrace.catalog())["exports"]}


@contextmanager
def _output(path: str) -> Iterator[int]:
    """The open file to write to. It takes its name once it is whole; what it replaces is kept until then.

    Raises: Refusal.
    """
    if path == _STANDARD_OUTPUT:
        yield sys.stdout.fileno()
        return
    written = path if _is_stream(path) else f"{path}.{os.getpid()}.part"
    try:
        file = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise Refusal(f"{path}: {error.strerror}") from error
    try:
        yield file
        if written != path:
            os.replace(written, path)  # noqa: PTH105 (pathlib takes longer to load than small recordings to read)
    except BaseException:
        if written != path:
            os.unlink(written)  # noqa: PTH108 (as above)
        raise
    finally:
        os.close(file)


def _is_stream(path: str) -> bool:
    """It is there and no file, such as /dev/null or a pipe."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 (as above)
    except OSError:
        return False
