"""The process that looks at uploaded bytes: no secrets, hard limits, no way out, gone with its parent.

Started as `child_command` says, which names its few open descriptors; it has standard error besides. What it
loads is little, because every command in a terminal waits for it.
"""

import os
import resource
import sys

from jitterscope import _ftrace
from jitterscope.ingest.child_command import read_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    Spec = Mapping[str, Any]  # what the parent wrote, with `descriptors` by name

_OPEN_FILES = 64
_EXIT_FAILED = 70


def main() -> "NoReturn":
    """Does the one task of the command line behind walls, and exits: 0, or 70 with a line on stderr.

    Nothing of the file is read before the walls are up.
    """
    arguments, descriptors = read_command(sys.argv)
    spec: Spec = {**arguments, "descriptors": descriptors}
    try:
        task = _TASKS[spec["task"]]
        if task is not _import:
            import json  # noqa: F401, PLC0415 (for answers, and not to be found behind the walls)
        walls = confine(spec)
        # No module can be loaded any more, and no byte of the file has been read.
        task(spec, walls)
    except BaseException as error:  # noqa: BLE001 (a panic of the core is a BaseException, and this is the edge)
        # Not a traceback, which would look for its source.
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="backslashreplace"))
        os._exit(_EXIT_FAILED)
    os._exit(0)


def confine(spec: "Spec") -> list[str]:
    """The walls around this process from now on, as `_ftrace.confine` names them.

    `spec` has the limits `memory_bytes`, `cpu_seconds` and `file_bytes`, the `descriptors` to keep, and the
    `parent_pid`, with which this process dies.
    """
    _close_all_but({0, 1, 2, *spec["descriptors"].values()})
    _limit(resource.RLIMIT_AS, spec["memory_bytes"])
    # The soft limit ends the process with its own signal, which says why it ended.
    _limit(resource.RLIMIT_CPU, spec["cpu_seconds"], hard_above=5)
    _limit(resource.RLIMIT_FSIZE, spec["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    _offer_to_the_kernel()
    return _ftrace.confine(spec["parent_pid"])


def _offer_to_the_kernel() -> None:
    """If memory runs out, the kernel is to take this process and no other."""
    try:
        score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(score, b"1000")
        os.close(score)
    except OSError:
        # Then it is as likely as others to be taken.
        return


def _import(spec: "Spec", _walls: list[str]) -> None:
    fds = spec["descriptors"]
    files = fds["input"], fds["scratch"], fds["output"]
    _ftrace.import_trace(*files, spec["trace_key"], spec["limits_json"], is_whole=spec["extent"] == "whole")


def _sniff(spec: "Spec", _walls: list[str]) -> None:
    """Writes what the first bytes of a file say: null, or why they are refused."""
    fds = spec["descriptors"]
    head = bytearray()
    while block := os.pread(fds["input"], spec["head_bytes"] - len(head), len(head)):
        head += block
    refusal = None
    try:
        _ftrace.sniff(bytes(head), spec["size_bytes"])
    except _ftrace.UnsupportedError as error:
        problem = {"code": error.code, "sentence": error.sentence, "remedy": error.remedy}
        refusal = problem | {"place": error.place}
    _answer(fds["output"], refusal)


def _state_walls(spec: "Spec", walls: list[str]) -> None:
    """Writes which walls are around this process."""
    _answer(spec["descriptors"]["output"], walls)


_TASKS: "Mapping[str, Callable[[Spec, list[str]], None]]" = {
    "import": _import,
    "sniff": _sniff,
    "state_walls": _state_walls,
}


def _answer(descriptor: int, answer: object) -> None:
    import json  # noqa: PLC0415 (as above)

    left = json.dumps(answer).encode()
    while left:
        left = left[os.write(descriptor, left) :]


def _close_all_but(kept: set[int]) -> None:
    """Closes every other descriptor that this process inherited."""
    last = max(kept)
    for descriptor in range(last):
        if descriptor not in kept:
            try:
                os.close(descriptor)
            except OSError:
                # It was not open.
                continue
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def _limit(which: int, value: int, hard_above: int = 0) -> None:
    _, hard = resource.getrlimit(which)
    wanted = value + hard_above
    bounded = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(which, (min(value, bounded), bounded))


if __name__ == "__main__":
    main()
