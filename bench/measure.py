"""Measuring processes: CPU time of commands and of the parts of the product, and quantiles."""

import os
import resource
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_of(command: Sequence[str]) -> float:
    """Seconds of CPU, user and system, that the command takes; its output is thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# What a process is, by a piece of its command line; one that says nothing is what its parent is.
_PARTS = (
    (b"/postgres\0", "PostgreSQL"),
    (b"jitterscope.ingest.child\0", "parsing child"),
    (b"jitterscope\0worker\0", "worker"),
    (b"jitterscope\0api\0", "API server"),
)
# The only children that the worker waits for.
_WAITED_FOR = {"worker": "parsing child"}


def cpu_by_part(root: int) -> dict[str, float]:
    """Seconds of CPU of the product's parts below the process, ended children included; it is `client`."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, tuple[int, int]] = {}
    commands: dict[int, bytes] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # 4242 (post gres) S 4200 ... utime stime cutime cstime
            fields = entry.read_text().rpartition(")")[2].split()
            command = entry.with_name("cmdline").read_bytes()
        except OSError:
            continue
        pid = int(entry.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        user, system, waited_user, waited_system = (int(field) for field in fields[11:15])
        ticks[pid] = (user + system, waited_user + waited_system)
        commands[pid] = command
    parts: defaultdict[str, float] = defaultdict(float)
    waiting = [(root, "client")]
    while waiting:
        pid, inherited = waiting.pop()
        own, waited = ticks.get(pid, (0, 0))
        part = next((part for piece, part in _PARTS if piece in commands.get(pid, b"")), inherited)
        parts[part] += own / _TICKS_PER_SECOND
        parts[_WAITED_FOR.get(part, part)] += waited / _TICKS_PER_SECOND
        waiting.extend((child, part) for child in children.get(pid, []))
    return parts


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * round(share * 100) // 100) - 1)]
