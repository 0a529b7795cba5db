"""The process that looks at uploaded bytes: no secrets, hard limits, no way out, gone with its parent.

Started by `ConfinedChild` as `python -I -m jitterscope.ingest.child <JSON>`. It has a few open
descriptors, which the JSON names, and standard error.
"""

import contextlib
import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from jitterscope import _ftrace

Spec = Mapping[str, Any]  # what the parent wrote, as it came out of the JSON

_OPEN_FILES = 64
_EXIT_FAILED = 70


def main() -> NoReturn:
    spec: Spec = json.loads(sys.argv[1])
    try:
        walls = confine(spec)
        # No module can be loaded any more, and no byte of the file has been read.
        _TASKS[spec["task"]](spec, walls)
    except BaseException as error:  # noqa: BLE001 (a panic of the core is a BaseException, and this is the edge)
        # Not a traceback, which would look for its source.
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="backslashreplace"))
        os._exit(_EXIT_FAILED)
    os._exit(0)


def confine(spec: Spec) -> list[str]:
    """The walls that stand around this process from now on, as `_ftrace.confine` names them.

    `spec` has the limits `memory_bytes`, `cpu_seconds` and `file_bytes`, the `descriptors` to keep, and the
    `parent_pid`, with which this process dies.
    """
    _close_all_but({0, 1, 2, *spec["descriptors"].values()})
    _limit(resource.RLIMIT_AS, spec["memory_bytes"])
    # The soft limit ends the process with a signal of its own, which tells why it ended.
    _limit(resource.RLIMIT_CPU, spec["cpu_seconds"], hard_above=5)
    _limit(resource.RLIMIT_FSIZE, spec["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    # If memory runs out, the kernel is to take this process and no other.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:  # noqa: PTH123 (pathlib takes longer to load than everything else here)
        score.write("1000")
    return _ftrace.confine(spec["parent_pid"])


def _import(spec: Spec, _walls: list[str]) -> None:
    fds = spec["descriptors"]
    _ftrace.import_trace(fds["input"], fds["scratch"], fds["output"], spec["trace_key"], spec["limits_json"])


def _sniff(spec: Spec, _walls: list[str]) -> None:
    """Writes what the first bytes of a file say: null, or why they are refused."""
    fds = spec["descriptors"]
    head = bytearray()
    while block := os.pread(fds["input"], spec["head_bytes"] - len(head), len(head)):
        head += block
    refusal = None
    try:
        _ftrace.sniff(bytes(head), spec["size_bytes"])
    except _ftrace.UnsupportedError as error:
        told = {"code": error.code, "sentence": error.sentence, "remedy": error.remedy}
        refusal = told | {"place": error.place}
    _answer(fds["output"], refusal)


def _state_walls(spec: Spec, walls: list[str]) -> None:
    """Writes which walls stand around this process."""
    _answer(spec["descriptors"]["output"], walls)


_TASKS: Mapping[str, Callable[[Spec, list[str]], None]] = {
    "import": _import,
    "sniff": _sniff,
    "state_walls": _state_walls,
}


def _answer(descriptor: int, answer: object) -> None:
    left = json.dumps(answer).encode()
    while left:
        left = left[os.write(descriptor, left) :]


def _close_all_but(kept: set[int]) -> None:
    """Whatever else this process inherited, whoever left it open."""
    last = max(kept)
    for descriptor in range(last):
        if descriptor not in kept:
            with contextlib.suppress(OSError):
                os.close(descriptor)
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def _limit(which: int, value: int, hard_above: int = 0) -> None:
    _, hard = resource.getrlimit(which)
    wanted = value + hard_above
    bounded = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(which, (min(value, bounded), bounded))


if __name__ == "__main__":
    main()
