"""The process that reads one file: no secrets, hard limits, gone with its parent.

Started by `ParserProcess` as `python -I -m jitterscope.ingest.child <JSON>` with three open
descriptors: the file, a scratch file without a name, and the pipe that takes the frames.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from jitterscope import _ftrace

# prctl options of Linux, include/uapi/linux/prctl.h.
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
# Flags of unshare, include/uapi/linux/sched.h.
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWNET = 0x4000_0000

_OPEN_FILES = 64
_EXIT_FAILED = 70


def main() -> NoReturn:
    spec = json.loads(sys.argv[1])
    _confine(spec)
    try:
        _ftrace.import_trace(
            spec["input_fd"], spec["scratch_fd"], spec["output_fd"], spec["trace_key"], spec["limits_json"]
        )
    except BaseException:  # noqa: BLE001 (a panic of the core is a BaseException, and this is the edge)
        traceback.print_exc()
        os._exit(_EXIT_FAILED)
    os._exit(0)


def _confine(spec: dict[str, int]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    _require(libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    if os.getppid() != spec["parent_pid"]:
        # The parent died before the kernel knew that it mattered.
        os._exit(_EXIT_FAILED)
    _require(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    # A network of its own, which is none. Some kernels keep this from ordinary users; the other
    # walls stand without it.
    libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
    _limit(resource.RLIMIT_AS, spec["memory_bytes"])
    # The soft limit ends the process with a signal of its own, which tells why it ended.
    _limit(resource.RLIMIT_CPU, spec["cpu_seconds"], hard_above=5)
    _limit(resource.RLIMIT_FSIZE, spec["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    # If memory runs out, the kernel is to take this process and no other.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _limit(which: int, value: int, hard_above: int = 0) -> None:
    _, hard = resource.getrlimit(which)
    wanted = value + hard_above
    bounded = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(which, (min(value, bounded), bounded))


def _require(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    main()
