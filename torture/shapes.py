"""Texts that go to the limits of one thing each, of any length, to see what a line of them costs."""

from collections.abc import Callable

Shape = Callable[[int], str]

_HEADER = "# tracer: nop\n#\n"


def _seconds(microseconds: int) -> str:
    return f"{1000 + microseconds // 1_000_000}.{microseconds % 1_000_000:06}"


def _event(pid: int, cpu: int, at: int, name: str, args: str, comm: str = "task") -> str:
    return f" {comm}-{pid} [{cpu:03}] d..2. {_seconds(at)}: {name}: {args}\n"


def _switch(prev: int, following: int, state: str = "S") -> str:
    return (
        f"prev_comm=t{prev} prev_pid={prev} prev_prio=120 prev_state={state} ==> "
        f"next_comm=t{following} next_pid={following} next_prio=120"
    )


def _text(count: int, line: Callable[[int], str]) -> str:
    return _HEADER + "".join(map(line, range(count)))


def _waking(pid: int, cpu: int = 0) -> str:
    return f"comm=t{pid} pid={pid} prio=120 target_cpu={cpu:03}"


def _switches(tasks: int, cpus: int, step: int) -> Shape:
    """Tasks that follow one another; each switch is preceded by nothing that explains it."""

    def line(number: int) -> str:
        pid = 1 + number * 7919 % tasks
        cpu = number % cpus
        return _event(
            pid, cpu, 10_000_000_000 + step * number, "sched_switch", _switch(pid, 1 + (pid * 31) % tasks)
        )

    return lambda count: _text(count, line)


def _mixed(step: int) -> Shape:
    """Every kind of event that opens something, closed by nothing."""
    events = (
        lambda n: ("sched_waking", _waking(1 + n % 50_000)),
        lambda n: ("irq_handler_entry", f"irq={n % 60_000} name=irq{n % 60_000}"),
        lambda n: ("softirq_raise", f"vec={n % 10} [action=TIMER]"),
        lambda n: ("softirq_entry", f"vec={n % 10} [action=TIMER]"),
        lambda n: (
            "hrtimer_start",
            f"hrtimer=0x{n:x} function=hrtimer_wakeup expires={n + 1000} softexpires={n} mode=0x0",
        ),
        lambda n: ("hrtimer_expire_entry", f"hrtimer=0x{n // 2:x} function=hrtimer_wakeup now={n}"),
        lambda n: (
            "timer_start",
            f"timer=0x{n:x} function=tick expires={n} [timeout=4] cpu=0 idx=1 flags=0x0",
        ),
        lambda n: ("sys_enter", f"NR {n % 400} (0, 0, 0, 0, 0, 0)"),
        lambda n: ("cpu_frequency", f"state={n} cpu_id={n % 8_192}"),
        lambda n: ("sched_switch", _switch(1 + n % 50_000, 1 + n * 31 % 50_000, "R")),
        lambda n: ("irq_disable", f"caller=f{n % 60_000}+0x1 parent=g+0x2"),
    )

    def line(number: int) -> str:
        name, args = events[number % len(events)](number)
        pid = 1 + number % 50_000
        return _event(pid, number % 16, 10_000_000_000 + step * number, name, args)

    return lambda count: _text(count, line)


def _events(name: str, args: Callable[[int], str], pids: int = 1, cpus: int = 1, step: int = 1) -> Shape:
    def line(number: int) -> str:
        return _event(1 + number % pids, number % cpus, 10_000_000_000 + step * number, name, args(number))

    return lambda count: _text(count, line)


def _nested_interrupts(count: int) -> str:
    def line(number: int) -> str:
        depth = number % 600
        kind = "entry" if number // 600 % 2 == 0 else "exit"
        irq = depth if kind == "entry" else 599 - depth
        return _event(1, 0, 10_000_000 + number, f"irq_handler_{kind}", f"irq={irq} name=i{irq}")

    return _text(count, line)


def _announced_losses(count: int) -> str:
    def line(number: int) -> str:
        if number % 2:
            return f"CPU:{number % 64} [LOST 3 EVENTS]\n"
        return _event(
            1 + number % 50_000, number % 64, 10_000_000 + number, "sched_waking", _waking(1 + number)
        )

    return _text(count, line)


def _losses_of_sleepers(count: int) -> str:
    """Tasks that wait for ever, and losses."""

    def line(number: int) -> str:
        if number % 2:
            return f"CPU:{number % 3} [LOST 3 EVENTS]\n"
        pid = 1 + number // 2 % 60_000
        return _event(pid, number % 3, 10_000_000 + number, "sched_switch", _switch(pid, 60_000))

    return _text(count, line)


def _stacks(count: int) -> str:
    def line(number: int) -> str:
        if number % 8 == 0:
            return _event(1, 0, 10_000_000 + number, "kmalloc", "bytes_req=1")
        return "<stack trace>\n" if number % 8 == 1 else f" => f{number}+0x1/0x2\n"

    return _text(count, line)


def _graph(line: Callable[[int], str]) -> Shape:
    return lambda count: "# tracer: function_graph\n#\n" + "".join(map(line, range(count)))


def _graph_deep(number: int) -> str:
    depth = number % 400
    entering = number // 400 % 2 == 0
    indent = "  " * (depth if entering else 399 - depth)
    return (
        f" 0)               |  {indent}f{depth}() {{\n" if entering else f" 0)   0.100 us    |  {indent}}}\n"
    )


def _graph_open(number: int) -> str:
    """Calls of 50,000 tasks that never end."""
    pid = 1 + number % 50_000
    indent = "  " * (number // 50_000 % 20)
    return f" {number % 8})  t-{pid}  |               |  {indent}f{number % 60_000}() {{\n"


def _graph_unopened(number: int) -> str:
    return f" {number % 8})   0.100 us    |  {'  ' * (number % 50)}}} /* f{number % 60_000} */\n"


def _graph_switches(number: int) -> str:
    if number % 3 == 0:
        return f" {number % 8})  t{number % 60_000}-{1 + number % 60_000}  =>  t-{1 + number * 7 % 60_000}\n"
    return f" {number % 8})   0.100 us    |  f{number % 60_000}();\n"


def _sections(count: int) -> str:
    """One report of a latency tracer behind the other."""
    section = (
        "# tracer: irqsoff\n#\n# latency: 20 us, #4/4, CPU#0 | (M:desktop VP:0, KP:0, SP:0 HP:0 #P:4)\n"
        "#    | task: bash-{pid} (uid:0 nice:0 policy:0 rt_prio:0)\n"
        "#  => started at: f{pid}\n#  => ended at:   g\n#\n"
        "    bash-{pid}    0d..1    1us : f <-g\n    bash-{pid}    0d..1   20us : g <-h\n"
    )
    return "".join(section.format(pid=1 + number) for number in range(max(count // 9, 1)))


SHAPES: dict[str, Shape] = {
    "rising times": _mixed(1),
    "falling times": _mixed(-1),
    "switches of 50,000 tasks": _switches(50_000, 8, 1),
    "switches with falling times": _switches(50_000, 8, -1),
    "switches on 8,192 CPUs": _switches(60_000, 8_000, 1),
    "switches on 8,192 CPUs, falling": _switches(60_000, 8_000, -1),
    "every task is new": _events("sched_wakeup", _waking, pids=1 << 30),
    "every name is new": lambda count: _text(
        count, lambda n: _event(1, 0, 10_000_000 + n, f"event_{n}", "a=1")
    ),
    "every field is new": _events("noise", lambda n: " ".join(f"f{n}_{i}={i}" for i in range(8))),
    "every argument is new": _events("noise", lambda n: f"text=x{n * 7919:x}y value={n}"),
    "wakings without switch": _events(
        "sched_waking", lambda n: _waking(1 + n % 60_000), pids=60_000, cpus=64
    ),
    "wakings with falling times": _events(
        "sched_waking", lambda n: _waking(1 + n % 60_000), pids=60_000, cpus=64, step=-1
    ),
    "timers never fired": _events(
        "hrtimer_start",
        lambda n: f"hrtimer=0x{n:x} function=hrtimer_wakeup expires={n + 10**9} softexpires={n} mode=0x0",
        pids=60_000,
    ),
    "calls never returned": _events("sys_enter", lambda n: f"NR {n % 400} (1, 2, 3, 4, 5, 6)", pids=60_000),
    "calls of unknown names": _events("sys_enter_openat", lambda n: f"dfd: {n}, flags: {n}", pids=60_000),
    "counters of 8,192 CPUs": _events("cpu_frequency", lambda n: f"state={n} cpu_id={n % 8_192}", step=3),
    "idle on 8,192 CPUs": _events("cpu_idle", lambda n: f"state={n % 4} cpu_id={n % 8_000}", cpus=8_000),
    "raises without entry": _events("softirq_raise", lambda n: f"vec={n % 10} [action=RCU]", cpus=8_000),
    "interrupts on 8,192 CPUs": _events(
        "irq_handler_entry", lambda n: f"irq={n % 9} name=a{n % 60_000}", cpus=8_000
    ),
    "nested interrupts": _nested_interrupts,
    "announced losses": _announced_losses,
    "losses of sleepers": _losses_of_sleepers,
    "notes": lambda count: _text(
        count,
        lambda n: _event(1, n % 8, 10_000_000 + n, "sched_waking", _waking(1 + n)).rstrip() + " <=== why\n",
    ),
    "cuts by hand": lambda count: _text(
        count, lambda n: "[...]\n" if n % 2 else _event(1, n % 8_000, 10_000_000 + n, "print", "x")
    ),
    "stacks": _stacks,
    "one giant line": lambda count: _HEADER + "x" * (80 * count) + "\n" + _event(1, 0, 1, "print", "x"),
    "blanks": lambda count: _HEADER + _event(1, 0, 1, "print", " " * (80 * count)),
    "deep calls": _graph(_graph_deep),
    "calls that never end": _graph(_graph_open),
    "ends of calls that never began": _graph(_graph_unopened),
    "a switch every third line": _graph(_graph_switches),
    "sections": _sections,
}
