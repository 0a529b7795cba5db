"""The log of a process that runs for months: bounded, and shown by its end."""

import os
from pathlib import Path
from typing import IO

LARGEST_LOG_BYTES = 8 << 20
_SHOWN_BYTES = 2000


def open_log(path: Path) -> IO[bytes]:
    """The file to append to; the log of a long-lived installation keeps to twice `LARGEST_LOG_BYTES`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LARGEST_LOG_BYTES:
        path.replace(path.with_suffix(".log.old"))
    return path.open("ab")


def end_of_log(path: Path) -> str:
    """The last lines, for a person who asks why the process ended; empty without a log."""
    try:
        with path.open("rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - _SHOWN_BYTES))
            return log.read().decode(errors="replace").strip()
    except FileNotFoundError:
        return ""
