"""Event text as records: a second, plain reading of what the product reads, which shares nothing with it.

Two layouts, as the kernel's documentation (Documentation/trace/ftrace.rst) shows them: the `trace` file of
tracefs, in its default and its latency form, and the text of `trace-cmd report`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

IRQS = "[.dDbBX]"
# Four characters until Linux 5.14, five since; seven in the PREEMPT_RT patches.
FLAGS = rf"(?:{IRQS}[.NnpPlLbB][.hHsSzZ][.0-9a-f]{{1,2}}|{IRQS}[.Nn][.NnLl][.hHsSzZ][.0-9a-f]{{3}})"

DEFAULT_LINE = re.compile(
    rf"""\s*(?P<comm>.*?)-(?P<pid>\d+)\s+    # the leftmost dash that all the rest follows
    (?:\([-\d\s]+\)\s+)?                     # the thread group, where it is recorded
    \[(?P<cpu>\d{{3,}})\]\s*
    (?:(?P<flags>{FLAGS})\s*)?
    (?P<seconds>\d+)\.(?P<fraction>\d{{6}}|\d{{9}}):\s+(?P<payload>.*)""",
    re.VERBOSE,
)
LATENCY_LINE = re.compile(
    rf"\s*(?P<comm>.*?)-(?P<pid>\d+)\s+(?P<cpu>\d+)(?P<flags>{FLAGS})\s+(?P<microseconds>\d+)us.?\s*:\s+(?P<payload>.*)"
)
LOST_LINE = re.compile(
    r"""CPU:(?P<cpu>\d+)\ \[(?:LOST\ )?(?:\d+\ )?EVENTS(?:\ DROPPED)?\]
    | \#{5}\ CPU\ (?P<started_cpu>\d+)\ buffer\ started\ \#{4}    # all that was before is overwritten""",
    re.VERBOSE,
)

SYSCALL_ENTRY = re.compile(r"sys_(?P<name>\w+)\((?P<args>.*)\)")
SYSCALL_EXIT = re.compile(r"sys_(?P<name>\w+) -> (?P<args>.*)")
TIMERLAT = re.compile(r"#\d+\s+(?P<args>context\s+\S+\s+timer_latency\s+\d+ ns)")
EVENT = re.compile(r"(?P<name>\w+):\s*(?P<args>.*)")


@dataclass(frozen=True)
class Record:
    """One event, as its line says it."""

    ns: int
    cpu: int
    pid: int
    comm: str
    event: str
    args: str
    flags: str

    @property
    def needs_resched(self) -> bool:
        """Whether the scheduler is to run before the task is in user space again."""
        columns = self.flags[1:3] if len(self.flags) > 5 else self.flags[1:2]
        return any(column in "nNlLbB" for column in columns)

    def text(self, key: str) -> str | None:
        """The word after `key=`."""
        found = re.search(rf"(?<!\S){key}=(\S+)", self.args)
        return found[1] if found else None

    def number(self, key: str) -> int | None:
        word = self.text(key)
        return None if word is None else int(word, 0)


@dataclass(frozen=True)
class Lost:
    """What is found between two records of a CPU, in place of those that were overwritten."""

    cpu: int


def read(lines: Iterable[str]) -> Iterator[Record | Lost]:
    """The events of a file in its order; function lines, stacks, headers and prose are passed over."""
    for line in lines:
        lost = LOST_LINE.match(line)
        if lost:
            yield Lost(int(lost["cpu"] or lost["started_cpu"]))
            continue
        found = DEFAULT_LINE.match(line) or LATENCY_LINE.match(line)
        named = found and _event(found["payload"])
        if found and named:
            event, args = named
            pid, comm = int(found["pid"]), found["comm"].strip()
            flags = found["flags"] or ""
            yield Record(_nanoseconds(found), int(found["cpu"]), pid, comm, event, args, flags)


def _nanoseconds(found: re.Match[str]) -> int:
    parts = found.groupdict()
    if "microseconds" in parts:
        return int(parts["microseconds"]) * 1000
    return int(parts["seconds"]) * 10**9 + int(parts["fraction"].ljust(9, "0"))


def _event(payload: str) -> tuple[str, str] | None:
    entry = SYSCALL_ENTRY.match(payload)
    if entry:
        return f"sys_enter_{entry['name']}", entry["args"]
    end = SYSCALL_EXIT.match(payload)
    if end:
        return f"sys_exit_{end['name']}", end["args"]
    timerlat = TIMERLAT.match(payload)
    if timerlat:
        return "timerlat", timerlat["args"]
    event = EVENT.match(payload)
    return (event["name"], event["args"]) if event else None
