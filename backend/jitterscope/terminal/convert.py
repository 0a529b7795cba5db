"""Converts a recording, a window of it, or one of its lists to the format of another tool."""

import argparse
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from jitterscope import _ftrace
from jitterscope.terminal.answers import Failures, warn
from jitterscope.terminal.recording import Recording, Refusal, read_recording

_STANDARD_OUTPUT = "-"

# Whole lists, as REST sends them by `format=`.
_ROWS = ("csv", "ndjson", "arrow", "parquet")
_LISTS = ("events", "latencies", "functions", "calls")
# Its rows are summed up for pages.
_SUMMED_UP = "functions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="recording of any format; - is standard input")
    parser.add_argument("--to", required=True, choices=[*_titles(), *_ROWS], help="format; docs/exports.md")
    parser.add_argument("--list", choices=_LISTS, help=f"rows for {', '.join(_ROWS)}; without it, events")
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
    with failures.catch():
        if arguments.output == _STANDARD_OUTPUT and sys.stdout.isatty():
            raise Refusal(f"{arguments.to} is for another program; name a file with -o")
        if arguments.list is not None and arguments.to not in _ROWS:
            raise Refusal(f"--list is for {', '.join(_ROWS)}; {arguments.to} is a whole recording")
        params = {name: getattr(arguments, name) for name in ("start", "end", "cpu", "list")}
        recording = warn(read_recording(arguments.file, is_whole=arguments.list == _SUMMED_UP))
        with _output(arguments.output) as output:
            convert(recording, arguments.to, {name: value for name, value in params.items() if value}, output)
    return failures.status


def convert(recording: Recording, to: str, params: Mapping[str, str], output: int) -> None:
    """Writes to an open file what REST answers at `export`, or for the format of a list at that list.

    Raises: RequestError of the core for a window that means nothing, OSError.
    """
    if to in _ROWS:
        recording.write("rows", {"list": "events", "format": to, **params}, output)
    else:
        recording.write("export", {"format": to, **params}, output)


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
