"""What the product shows of every record of a trace.dat is what `trace-cmd report -t` prints of it.

The product prints as the kernel does. trace-cmd 3.1.6 does not everywhere: its plugins have forms of their
own, and of some print formats it does not know the constants. Each of these differences stands here as what
it does to the kernel's text.
"""

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

from jitterscope.run.samples import SAMPLES
from tests.api.service import Service
from tests.oracle.reader import Record, read
from tests.oracle.test_oracle import PAGE, REPORTS, text_of

NAME = "cyclictest-6.12-rt.dat"

SWITCH = re.compile(
    r"prev_comm=(.*) prev_pid=(\d+) prev_prio=(\d+) prev_state=(\S+)"
    r" ==> next_comm=(.*) next_pid=(\d+) next_prio=(\d+)"
)
HRTIMER_MODE = {"ABS": 0, "REL": 1, "PINNED": 2, "SOFT": 4, "HARD": 8}
PM_QOS_ACTION = {"ADD_REQ": 0, "UPDATE_REQ": 1, "REMOVE_REQ": 2}


def switch(args: str) -> str:
    """A form of its own, which hides that a task was preempted and has the letters of old kernels."""
    found = SWITCH.fullmatch(args)
    assert found, args
    comm, pid, prio, state, *following = found.groups()
    state = {"R+": "R", "X": "Z", "Z": "X", "P": "x", "I": "W"}.get(state, state)
    return "{}:{} [{}] {} ==> {}:{} [{}]".format(comm, pid, prio, state, *following)


def wakeup(args: str) -> str:
    """A form of its own."""
    return re.sub(r"comm=(.*) pid=(\d+) prio=(\d+) target_cpu=(\d+)", r"\1:\2 [\3] CPU:\4", args)


def hrtimer_start(args: str) -> str:
    """A form of its own, without what newer kernels tell, and with a distance from the symbol."""
    return re.sub(r"function=(\S+) (.*) mode=\S+ was_armed=\d", r"function=\1/0x0 \2", args)


def hrtimer_expire(args: str) -> str:
    """A form of its own: another order."""
    return re.sub(r"function=(\S+) now=(\d+)", r"now=\2 function=\1/0x0", args)


def hrtimer_init(args: str) -> str:
    """HRTIMER_MODE_REL is a name that the file does not explain."""
    names, _, modes = args.rpartition("mode=")
    return f"{names}mode={sum(HRTIMER_MODE[mode] for mode in modes.split('|')):#x}"


def timer_start(args: str) -> str:
    """Flags that the file does not explain count as 0, which every number of flags has."""
    return re.sub(r"flags=\S*", "flags=D|P|I", args)


def pm_qos(args: str) -> str:
    """PM_QOS_ADD_REQ is a name that the file does not explain."""
    return re.sub(r"action=(\w+)", lambda action: f"action={PM_QOS_ACTION[action[1]]:#x}", args)


def system_call(args: str) -> str:
    """By the event's print format, which the kernel itself does not use."""
    return re.sub(r"(?<=: )[0-9a-f]+", lambda number: f"0x{int(number[0], 16):08x}", args)


def system_call_end(args: str) -> str:
    """By the event's print format, which the kernel itself does not use."""
    return args.removeprefix("-> ")


DIFFERENT: dict[str, Callable[[str], str]] = {
    "sched_switch": switch,
    "sched_wakeup": wakeup,
    "sched_wakeup_new": wakeup,
    "hrtimer_start": hrtimer_start,
    "hrtimer_expire_entry": hrtimer_expire,
    "hrtimer_init": hrtimer_init,
    "timer_start": timer_start,
    "pm_qos_update_target": pm_qos,
    "sys_enter_clock_nanosleep": system_call,
    "sys_exit_clock_nanosleep": system_call_end,
}


def test_every_record_is_shown_as_trace_cmd_prints_it(service: Service) -> None:
    trace_id = service.ready((SAMPLES / NAME).read_bytes(), NAME)
    # Blanks at the end are not kept.
    lines = (line.rstrip() for line in text_of(REPORTS[NAME]).splitlines())
    printed = [record for record in read(lines) if isinstance(record, Record)]
    assert len(printed) == 20_011
    for shown, expected in zip_longest(_shown(service, trace_id), printed):
        assert shown == expected


def _shown(service: Service, trace_id: str) -> Iterator[Record]:
    """All events of the trace in the order and, but for the known differences, the form of trace-cmd."""
    origin_ns = int(str(service.wait(trace_id)["origin_ns"]))
    params = {"limit": str(PAGE)}
    while True:
        response = service.client.get(f"/api/v1/traces/{trace_id}/events", params=params)
        assert response.status_code == 200, response.text
        page = response.json()
        for item in page["items"]:
            args = DIFFERENT.get(item["event"], str)(item["raw"])
            ns = origin_ns + item["t"]
            yield Record(ns, item["cpu"], item["pid"], item["comm"], item["event"], args)
        if page["next"] is None:
            return
        params["cursor"] = page["next"]
