"""Which causes the sentence may name.

That something ran less on a CPU does not say that it made the difference: tasks of the load may have moved
by chance. So a cause is named only if all of this holds. It ran on a CPU of the measured tasks; its share of
that CPU differs by its own test; the time that samples spent in it changed in the direction of the samples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jitterscope.explore.compare.causes import Cause, Rate
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.explore.compare.words import amount

# Lists of their own: the tick, with the interrupts and softirqs that come with it, would hide the tasks.
_NAMED_TASKS = 3
_NAMED_INTERRUPTS = 2
# Where rates differ by less, the sentence states what one run costs.
_SAME_RATE = 0.1


def proven(
    causes: Sequence[Cause], sides: tuple[Recorded, Recorded], cpus: frozenset[int], *, is_less: bool
) -> list[Cause]:
    """At most three tasks and two interrupts, those first in which the time of samples changed most."""
    found = [
        cause
        for cause in causes
        if cause.is_real
        and cause.cpu in cpus
        and (cause.after.share < cause.before.share) == is_less
        and _took_part(cause, sides, is_less=is_less)
    ]
    has_tick = {cause.cpu for cause in found if cause.cause == "tick"}
    # The tick is named once, not a second time as the interrupt that runs it.
    found = [cause for cause in found if not (cause.cpu in has_tick and _is_timer(cause.cause, cause.name))]
    found.sort(key=lambda one: -abs(_change(_part(one), sides, one.cpu)))
    tasks = [cause for cause in found if cause.cause == "sched"][:_NAMED_TASKS]
    interrupts = [cause for cause in found if cause.cause != "sched"][:_NAMED_INTERRUPTS]
    return [cause for cause in found if cause in tasks or cause in interrupts]


def clause(causes: Sequence[Cause], sides: tuple[Recorded, Recorded], *, is_less: bool) -> str:
    """Sentences that name these causes; nothing for none.

    The first is the largest part only if the time of samples changed in nothing else as much, proven or not.
    """
    if not causes:
        return ""
    word = "less" if is_less else "more"
    if not _is_largest(causes[0], sides, is_less=is_less):
        return f"{word.capitalize()} interference: {'; '.join(map(_phrase, causes))}."
    largest = f"Largest part: {_phrase(causes[0])}."
    others = f" Also {word}: {'; '.join(map(_phrase, causes[1:]))}." if causes[1:] else ""
    return largest + others


# What took time of samples: the cause and the name.
_Part = Callable[[str, str | None], bool]


def _is_largest(cause: Cause, sides: tuple[Recorded, Recorded], *, is_less: bool) -> bool:
    sign = -1 if is_less else 1
    own = sign * _change(_part(cause), sides, cause.cpu)
    every = {(taken.cause, taken.name) for recorded in sides for taken in recorded.taken}
    return all(sign * _change(_exactly(*key), sides, cause.cpu) <= own for key in every)


def _took_part(cause: Cause, sides: tuple[Recorded, Recorded], *, is_less: bool) -> bool:
    change = _change(_part(cause), sides, cause.cpu)
    return change < 0 if is_less else change > 0


def _part(cause: Cause) -> _Part:
    if cause.cause == "tick":
        return _is_timer
    return _exactly("task" if cause.cause == "sched" else cause.cause, cause.name)


def _exactly(cause: str, name: str | None) -> _Part:
    return lambda *taken: taken == (cause, name)


def _change(is_part: _Part, sides: tuple[Recorded, Recorded], cpu: int) -> float:
    """Of the time that samples spent in it, for each nanosecond that was recorded: after less before."""
    before, after = (_of_samples(is_part, recorded, cpu) for recorded in sides)
    return after - before


def _of_samples(is_part: _Part, recorded: Recorded, cpu: int) -> float:
    total_ns = sum(taken.total_ns for taken in recorded.taken if is_part(taken.cause, taken.name))
    duration_ns = sum(recorded.recorded_ns(cpu).values())
    return total_ns / duration_ns if duration_ns else 0.0


def _is_timer(cause: str, name: str | None) -> bool:
    return cause == "irq" and "timer" in (name or "")


def _phrase(cause: Cause) -> str:
    before, after = cause.before, cause.after
    names = {"tick": "the tick", "irq": f"the interrupt {cause.name}", "softirq": f"the softirq {cause.name}"}
    what, cpu = names.get(cause.cause, cause.name or "a task"), f"on CPU {cause.cpu}"
    if after.mean_ns is None:
        return f"{what} no longer ran {cpu} ({_times(before)} before, {_each(before.mean_ns)})"
    if before.mean_ns is None:
        return f"{what} ran {cpu} {_times(after)}, {_each(after.mean_ns)}, and not at all before"
    if abs(after.per_s - before.per_s) <= _SAME_RATE * before.per_s:
        return f"{what} took {_each(after.mean_ns)} {cpu} instead of {_amount(before.mean_ns)}"
    return (
        f"{what} ran {_times(after)} {cpu} instead of {_rate(before.per_s)} ({_each(before.mean_ns)} before)"
    )


def _times(rate: Rate) -> str:
    return f"{_rate(rate.per_s)} times a second"


def _rate(per_s: float) -> str:
    return f"{per_s:,.0f}" if per_s >= 10 else f"{per_s:.2g}"


def _each(mean_ns: int | None) -> str:
    return f"{_amount(mean_ns)} each"


def _amount(mean_ns: int | None) -> str:
    return amount(mean_ns or 0, "ns", digits=3)
