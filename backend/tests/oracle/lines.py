"""Lines of event text, for small recordings of what is rare in real ones. Times are microseconds."""


def line(us: int, cpu: int, pid: int, event: str) -> str:
    comm = f"task{pid}" if pid else "<idle>"
    return f"{comm:>16}-{pid:<7} [{cpu:03}] ..... {us // 10**6:>5}.{us % 10**6:06}: {event}"


def switch(us: int, cpu: int, prev: int, state: str, after: int) -> str:
    return line(
        us,
        cpu,
        prev,
        f"sched_switch: prev_comm=task{prev} prev_pid={prev} prev_prio=120 prev_state={state}"
        f" ==> next_comm=task{after} next_pid={after} next_prio=120",
    )


def waking(us: int, cpu: int, waker: int, pid: int, event: str = "sched_waking") -> str:
    return line(us, cpu, waker, f"{event}: comm=task{pid} pid={pid} prio=120 target_cpu={cpu:03}")


def timer_start(us: int, cpu: int, pid: int, timer: int, expires: int) -> str:
    return line(
        us,
        cpu,
        pid,
        f"hrtimer_start: hrtimer={timer:016x} function=hrtimer_wakeup"
        f" expires={expires} softexpires={expires} mode=ABS|HARD was_armed=0",
    )


def timer_expires(us: int, cpu: int, pid: int, timer: int, now: int) -> str:
    return line(us, cpu, pid, f"hrtimer_expire_entry: hrtimer={timer:016x} function=hrtimer_wakeup now={now}")


def timer_done(us: int, cpu: int, pid: int, timer: int) -> str:
    return line(us, cpu, pid, f"hrtimer_expire_exit: hrtimer={timer:016x}")


def lost(cpu: int, count: int = 7) -> str:
    return f"CPU:{cpu} [LOST {count} EVENTS]"
