"""Recordings made of what a test wants to find in them."""

_SWITCH = "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=89"
_HEADER = """# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
"""


def wakeups(waits_us: list[int], comm: str = "rt", pid: int = 9) -> bytes:
    """A recording of CPU 0 in which the task is woken once a millisecond, and waits that long each time."""
    lines = []
    for number, wait_us in enumerate(waits_us):
        woken_us = 100_000_000 + number * 1000
        for t_us, who, event in (
            (woken_us, "<idle>-0", f"sched_waking: comm={comm} pid={pid} prio=89 target_cpu=000"),
            (woken_us + wait_us, "<idle>-0", "sched_switch: " + _SWITCH % ("swapper/0", 0, "R", comm, pid)),
            (
                woken_us + wait_us,
                f"{comm}-{pid}",
                "sched_switch: " + _SWITCH % (comm, pid, "S", "swapper/0", 0),
            ),
        ):
            seconds, micros = divmod(t_us, 1_000_000)
            lines.append(f"{who:>16} [000] d..2. {seconds:5d}.{micros:06d}: {event}\n")
    return (_HEADER + "".join(lines)).encode()
