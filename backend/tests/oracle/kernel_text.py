"""What the kernel prints of a record: the second verdict where trace-cmd prints otherwise.

Each function repeats one print macro of the kernel (include/trace/events and kernel/trace, Linux 6.12) on the
raw fields of `trace-cmd report -R`, so that nothing here rests on the reader that is judged.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

Fields = dict[str, str]


@dataclass(frozen=True)
class Tables:
    """What a recording says beside its records."""

    # Of every event, as the kernel's `format` files have them.
    formats: str
    kallsyms: str

    @cached_property
    def print_fmts(self) -> dict[str, str]:
        """The print macro of each event."""
        found = re.findall(r"^name: (\w+)$.*?^print fmt: (.*?)$", self.formats, re.MULTILINE | re.DOTALL)
        return dict(found)

    @cached_property
    def symbols(self) -> list[tuple[int, str]]:
        """Address and name in the order of addresses; of several names for one address the first."""
        lines = re.findall(r"^([0-9a-f]+) [^aA] (\S+)", self.kallsyms, re.MULTILINE)
        first: dict[int, str] = {}
        for address, name in lines:
            first.setdefault(int(address, 16), name)
        return sorted(first.items())

    @cached_property
    def code_start(self) -> int:
        found = re.search(r"^([0-9a-f]+) \w _stext$", self.kallsyms, re.MULTILINE)
        assert found
        return int(found[1], 16)

    def symbol_with_offset(self, address: int) -> str:
        """`%pS`: kallsyms tells how long a symbol is by where the next one begins."""
        at = bisect_right(self.symbols, address, key=lambda symbol: symbol[0])
        (start, name), (end, _) = self.symbols[at - 1], self.symbols[at]
        return f"{name}+{address - start:#x}/{end - start:#x}"


@dataclass(frozen=True)
class Record:
    """The fields of a record, and how trace-cmd printed it, which names the functions of addresses."""

    fields: Fields
    printed: str
    tables: Tables

    def text(self, name: str) -> str:
        return self.fields[name]

    def number(self, name: str) -> int:
        text = self.fields[name]
        return int(text, 16 if text.startswith("0x") else 10)

    @property
    def function(self) -> str:
        """`%ps` of the address that trace-cmd prints as `NAME/0x0`, or as a name."""
        found = re.search(r"function=([^\s/]+)(?:/0x0)?(?:\s|$)", self.printed)
        assert found, self.printed
        return found[1]


@dataclass(frozen=True)
class Macro:
    """The names of an event's fields in their order, where they are known, and what prints them."""

    names: Sequence[str]
    text: Callable[[Record], str]


def kernel_text(event: str, raw: str, printed: str, tables: Tables) -> str | None:
    """The arguments as the kernel prints them; `None` for an event of which no difference is known."""
    macro = MACROS.get(event) or next((MACROS[name] for name in SYSCALLS if event.startswith(name)), None)
    if macro is None:
        return None
    # Names of tasks may hold anything, so that only the names of all fields tell where one ends.
    pattern = r"\s".join(rf"{name}=(.*)" for name in macro.names)
    found = re.fullmatch(pattern, raw, re.DOTALL)
    if macro.names and not found:
        return None
    fields = dict(zip(macro.names, found.groups(), strict=True)) if found else _all_fields(raw)
    return macro.text(Record(fields, printed, tables))


def _all_fields(raw: str) -> Fields:
    return dict(re.findall(r"(\w+)=(\S+)", raw))


def flags_text(flags: int, names: Sequence[tuple[int, str]]) -> str:
    """`__print_flags(flags, "|", ...)`: trace_print_flags_seq in kernel/trace/trace_output.c."""
    parts = []
    for mask, name in names:
        if flags and flags & mask == mask:
            parts.append(name)
            flags &= ~mask
    return "|".join([*parts, hex(flags)] if flags else parts)


def symbolic(value: int, names: dict[int, str]) -> str:
    """`__print_symbolic`."""
    return names.get(value, hex(value))


def constant(expression: str) -> int:
    """A number of C without names: `(((0x0000 | 0x0001) + 1) << 1)`, whose operators bind as Python's do."""
    assert re.fullmatch(r"[0-9a-fx()|+<\s-]+", expression), expression
    value = eval(expression)  # noqa: S307 (numbers and operators only)
    assert isinstance(value, int)
    return value


def sched_switch(record: Record) -> str:
    before = " ".join(f"prev_{name}={record.text(f'prev_{name}')}" for name in ("comm", "pid", "prio"))
    after = " ".join(f"next_{name}={record.text(f'next_{name}')}" for name in ("comm", "pid", "prio"))
    return f"{before} prev_state={_task_state(record)} ==> {after}"


def _task_state(record: Record) -> str:
    """By the macro of the kernel that wrote the recording: bits and letters have changed several times."""
    state, macro = record.number("prev_state"), record.tables.print_fmts["sched_switch"]
    shown = re.search(r'__print_flags\(REC->prev_state & (\(.*?\)), "\|"', macro)
    preempted = re.search(r'REC->prev_state & ([^"?]+?) \? "\+"', macro)
    assert shown
    assert preempted
    letters = [(int(bit, 0), name) for bit, name in re.findall(r'\{ *(0x[0-9a-f]+|\d+), *"(\w+)" *\}', macro)]
    text = flags_text(state & constant(shown[1]), letters) or "R"
    return f"{text}+" if state & constant(preempted[1]) else text


def sched_wakeup(record: Record) -> str:
    comm, pid, prio = (record.text(name) for name in ("comm", "pid", "prio"))
    return f"comm={comm} pid={pid} prio={prio} target_cpu={record.number('target_cpu'):03}"


def hrtimer_setup(record: Record) -> str:
    clock = symbolic(record.number("clockid"), CLOCKS)
    return f"hrtimer={record.text('hrtimer')} clockid={clock} mode={_hrtimer_mode(record)}"


def hrtimer_start(record: Record) -> str:
    times = f"expires={record.text('expires')} softexpires={record.text('softexpires')}"
    mode = f"mode={_hrtimer_mode(record)} was_armed={record.text('was_armed')}"
    return f"hrtimer={record.text('hrtimer')} function={record.function} {times} {mode}"


def hrtimer_expire_entry(record: Record) -> str:
    return f"hrtimer={record.text('hrtimer')} function={record.function} now={record.text('now')}"


def _hrtimer_mode(record: Record) -> str:
    return symbolic(record.number("mode"), HRTIMER_MODES)


def timer_start(record: Record) -> str:
    flags = record.number("flags")
    shown = sum(mask for mask, _ in TIMER_FLAGS)
    timeout = _as_long(record.number("expires") - record.number("now"))
    return (
        f"timer={record.text('timer')} function={record.function} expires={record.text('expires')}"
        f" [timeout={timeout}] bucket_expiry={record.text('bucket_expiry')} cpu={flags & TIMER_CPU_MASK}"
        f" idx={flags >> TIMER_ARRAY_SHIFT} flags={flags_text(flags & shown, TIMER_FLAGS)}"
    )


def _as_long(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def pm_qos_update_target(record: Record) -> str:
    action = symbolic(record.number("action"), PM_QOS_ACTIONS)
    values = f"prev_value={record.text('prev_value')} curr_value={record.text('curr_value')}"
    return f"action={action} {values}"


def switched_off_or_on(record: Record) -> str:
    """The kernel keeps distances from the beginning of its code (preemptirq.h)."""
    places = (
        record.tables.symbol_with_offset(record.tables.code_start + record.number(f"{name}_offs"))
        for name in ("caller", "parent")
    )
    return "caller={} parent={}".format(*places)


def system_call(record: Record) -> str:
    """The text between the brackets of `sys_NAME(...)`: print_syscall_enter in trace_syscalls.c."""
    names = (name for name in record.fields if name != "__syscall_nr")
    return ", ".join(f"{name}: {record.number(name):x}" for name in names)


def system_call_end(record: Record) -> str:
    """The text after `sys_NAME`: print_syscall_exit."""
    return f"-> {record.number('ret') % 2**64:#x}"


def marker(record: Record) -> str:
    """The kernel prints `tracing_mark_write: TEXT`, with the function in the place of the event's name."""
    assert record.text("ip") == "tracing_mark_write"
    return record.text("buf")


def kernel_stack(_: Record) -> str:
    """The line before the frames, which trace-cmd prints with a blank more."""
    return "<stack trace>"


# include/uapi/linux/time.h
CLOCKS = {0: "CLOCK_REALTIME", 1: "CLOCK_MONOTONIC", 7: "CLOCK_BOOTTIME", 11: "CLOCK_TAI"}
# include/linux/hrtimer.h: of the four bits, the last two are never both set.
HRTIMER_MODES = {
    mode: ("REL" if mode & 1 else "ABS")
    + "".join(f"|{name}" for bit, name in ((2, "PINNED"), (4, "SOFT"), (8, "HARD")) if mode & bit)
    for mode in range(12)
}
# include/linux/timer.h
TIMER_CPU_MASK = 0x3FFFF
TIMER_ARRAY_SHIFT = 22
TIMER_FLAGS = ((0x40000, "M"), (0x80000, "D"), (0x100000, "P"), (0x200000, "I"))
# include/linux/pm_qos.h
PM_QOS_ACTIONS = {0: "ADD_REQ", 1: "UPDATE_REQ", 2: "REMOVE_REQ"}

SWITCH_FIELDS = ("prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio")
WAKEUP_FIELDS = ("comm", "pid", "prio", "target_cpu")
SETUP_FIELDS = ("hrtimer", "clockid", "mode")
SYSCALLS = ("sys_enter_", "sys_exit_")

MACROS = {
    "sched_switch": Macro(SWITCH_FIELDS, sched_switch),
    "sched_wakeup": Macro(WAKEUP_FIELDS, sched_wakeup),
    "sched_wakeup_new": Macro(WAKEUP_FIELDS, sched_wakeup),
    "hrtimer_init": Macro(SETUP_FIELDS, hrtimer_setup),
    "hrtimer_setup": Macro(SETUP_FIELDS, hrtimer_setup),
    "hrtimer_start": Macro((), hrtimer_start),
    "hrtimer_expire_entry": Macro((), hrtimer_expire_entry),
    "timer_start": Macro((), timer_start),
    "pm_qos_update_target": Macro((), pm_qos_update_target),
    **{
        f"{what}_{end}": Macro((), switched_off_or_on)
        for what in ("irq", "preempt")
        for end in ("disable", "enable")
    },
    "sys_enter_": Macro((), system_call),
    "sys_exit_": Macro((), system_call_end),
    "print": Macro(("ip", "buf"), marker),
    "kernel_stack": Macro((), kernel_stack),
}
