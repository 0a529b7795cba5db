"""How the confined child is started. Loads little, since every command in a terminal waits for it."""

from __future__ import annotations

import fcntl
import os
import sys

# Only for those who check types: it takes longer to load than this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Without `site`, which the child does not need, Python starts in half the time. `-m` would take longer, too.
_START = "import sys; sys.path.append(sys.argv[2]); from jitterscope.ingest.child import main; main()"
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120 (pathlib takes longer to load than this module saves)

# Sixteen times what the kernel gives, so that child and reader wait less often for each other.
PIPE_BYTES = 1 << 20

# A backtrace would be without names, because the child cannot open the files that hold them.
# With huge pages, where the kernel gives them, glibc's heap costs a third fewer page faults, and a child some
# 10 MiB more.
ENVIRONMENT: Mapping[str, str] = {
    "LANG": "C.UTF-8",
    "RUST_BACKTRACE": "0",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


def output_pipe() -> tuple[int, int]:
    """The end to read from and the end that the child writes to."""
    read_end, write_end = os.pipe()
    try:  # noqa: SIM105 (contextlib takes longer to load than this module)
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except OSError:
        # A user has only so much of it (/proc/sys/fs/pipe-user-pages-soft); a smaller pipe works, too.
        pass
    return read_end, write_end


def child_command(spec: Mapping[str, object], descriptors: Mapping[str, int]) -> list[str]:
    """Program and arguments. `spec` has what the task and its limits need, `descriptors` its open files."""
    settings = [f"{name}={value}" for name, value in spec.items()]
    files = [f"fd:{name}={descriptor}" for name, descriptor in descriptors.items()]
    python = [sys.executable, "-I", "-S", "-c", _START]
    return [*python, "jitterscope.ingest.child", _ROOT, *settings, *files]


def read_command(arguments: list[str]) -> tuple[dict[str, int | str], dict[str, int]]:
    """The `spec` and the `descriptors` of a command, from its arguments."""
    spec: dict[str, int | str] = {}
    descriptors: dict[str, int] = {}
    for argument in arguments[2:]:
        name, _, value = argument.partition("=")
        if name.startswith("fd:"):
            descriptors[name.removeprefix("fd:")] = int(value)
        else:
            spec[name] = int(value) if value.isdecimal() else value
    return spec, descriptors


def exit_reason(code: int) -> str:
    """How a child ended, as `subprocess` has it, in words fit to be shown."""
    if code >= 0:
        return f"exit status {code}"
    import signal  # noqa: PLC0415 (only where something went wrong)

    if code == -signal.SIGSYS:
        return "a system call that reading does not need (signal SIGSYS)"
    return f"signal {signal.Signals(-code).name}"
