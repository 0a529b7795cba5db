"""A whole recording, and what is known at each place of it: who runs, and where records were lost."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.oracle.reader import Lost, Record, read

# `prev_comm=a prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=2 ...`, and trace-cmd's
# `a:1 [120] R+ ==> b:2 [120]`.
SWITCH = re.compile(r"prev_comm=.* prev_pid=(\d+) .*prev_state=(\S+) (?:==> )?next_comm=.* next_pid=(\d+)")
SWITCH_OF_TRACE_CMD = re.compile(r".*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]")
# What `trace-cmd report -R` leaves unnamed: TASK_RUNNING, and the bit that says "preempted", which is one
# above all states: TASK_REPORT_MAX since Linux 4.14, TASK_STATE_MAX before.
RUNNABLE = {"0": "R", "0x0": "R"} | dict.fromkeys(("256", "0x100", "1024", "2048", "4096"), "R+")
WOKEN = re.compile(r"comm=.* pid=(\d+) prio=")
WOKEN_OF_TRACE_CMD = re.compile(r".*:(\d+) \[-?\d+\]")


@dataclass(frozen=True)
class Switch:
    prev: int
    state: str
    next: int


def switch_of(record: Record) -> Switch | None:
    if record.event != "sched_switch":
        return None
    found = SWITCH.match(record.args) or SWITCH_OF_TRACE_CMD.match(record.args)
    return Switch(int(found[1]), RUNNABLE.get(found[2], found[2]), int(found[3])) if found else None


def woken_pid(record: Record) -> int | None:
    """Whom `sched_waking`, `sched_wakeup` or `sched_wakeup_new` wakes."""
    if record.event not in ("sched_waking", "sched_wakeup", "sched_wakeup_new"):
        return None
    found = WOKEN.match(record.args) or WOKEN_OF_TRACE_CMD.match(record.args)
    return int(found[1]) if found else None


@dataclass(frozen=True)
class Gap:
    """Records were lost after the one numbered `after` and before the one numbered `before`."""

    after: int
    before: int


class Recording:
    """Records by their number in the file."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.records: list[Record] = []
        self._gaps: dict[int, list[Gap]] = {}
        # For each record, who runs on each CPU when it is written.
        self._running: list[dict[int, int]] = []
        self._unseen: set[int] = set()
        last: dict[int, int] = {}
        lossy: set[int] = set()
        running: dict[int, int] = {}
        left: dict[int, int] = {}
        for item in read(lines):
            if isinstance(item, Lost):
                lossy.add(item.cpu)
                continue
            number, cpu = len(self.records), item.cpu
            if cpu in lossy:
                lossy.remove(cpu)
                self._gaps.setdefault(cpu, []).append(Gap(last.get(cpu, -1), number))
            # A record's task is the one that runs, except that between `sched_switch` and the end of the
            # switch it is still the previous one (kernel/sched/core.c, context_switch).
            if item.pid not in (running.get(cpu), left.get(cpu)):
                self._unseen.add(number)
                running = running | {cpu: item.pid}
            self._running.append(running)
            switch = switch_of(item)
            if switch:
                running = running | {cpu: switch.next}
                left[cpu] = switch.prev
            self.records.append(item)
            last[cpu] = number

    def __getitem__(self, number: int) -> Record:
        return self.records[number]

    def numbered(self, first: int = 0) -> Iterator[tuple[int, Record]]:
        return ((number, self.records[number]) for number in range(first, len(self.records)))

    def is_running(self, pid: int, number: int) -> bool:
        """Whether the task runs on any CPU when the record is written."""
        return pid in self._running[number].values()

    def cpu_of(self, pid: int, number: int) -> int | None:
        """Where the task runs when the record is written."""
        running = self._running[number].items()
        return next((cpu for cpu, on_it in running if on_it == pid), None)

    def came_unseen(self, number: int) -> bool:
        """Whether a record is the first sign that its task runs: the switch to it is not in the recording."""
        return number in self._unseen

    def lost_between(self, cpu: int, start: int, end: int) -> bool:
        """Whether a CPU lost records between two records of the file, or may have."""
        return any(gap.after < end and gap.before > start for gap in self._gaps.get(cpu, ()))
