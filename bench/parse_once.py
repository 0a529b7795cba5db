"""Reads one file with the core, throws its frames away, and prints what that took, as JSON.

A process of its own, as in the product, so that CPU time and peak memory are those of reading alone.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from jitterscope import _ftrace
from jitterscope.settings import Settings


def peak_bytes() -> int:
    """The largest resident size of this process so far."""
    # VmHWM:     10240 kB
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


def main(path: str) -> None:
    limits = Settings().limits_json
    with (
        Path(path).open("rb") as source,
        Path(os.devnull).open("wb") as sink,
        tempfile.TemporaryFile() as scratch,
    ):
        before_bytes = peak_bytes()
        before = os.times()
        _ftrace.import_trace(source.fileno(), scratch.fileno(), sink.fileno(), 1, limits, is_whole=True)
        after = os.times()
    cpu_seconds = after.user + after.system - before.user - before.system
    print(
        json.dumps(
            {"cpu_seconds": cpu_seconds, "peak_bytes": peak_bytes(), "interpreter_bytes": before_bytes}
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
