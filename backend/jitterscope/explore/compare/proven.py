"""Which causes the sentence may name.

That something ran less on a CPU does not say that it made the difference: tasks of the load may have moved
by chance. So a cause is named only if all of this holds. It ran on a CPU of the measured tasks; its share of
that CPU differs by its own test; the time that samples spent in it changed in the direction of the samples.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitterscope.explore.compare.causes import Cause, Rate
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.explore.compare.words import amount

_NAMED = 3
# Where rates differ by less, the sentence states what one run costs.
_SAME_RATE = 0.1


def proven(
    causes: Sequence[Cause], sides: tuple[Recorded, Recorded], cpus: frozenset[int], *, is_less: bool
) -> list[Cause]:
    """At most three, those first whose share of the CPU changed most."""
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
    found.sort(key=lambda one: -abs(one.after.share - one.before.share))
    return found[:_NAMED]


def clause(causes: Sequence[Cause], *, is_less: bool) -> str:
    """A sentence that names these causes; nothing for none."""
    if not causes:
        return ""
    return f"{'Less' if is_less else 'More'} interference: {'; '.join(map(_told, causes))}."


def _took_part(cause: Cause, sides: tuple[Recorded, Recorded], *, is_less: bool) -> bool:
    before, after = (_of_samples(cause, recorded) for recorded in sides)
    return after < before if is_less else before < after


def _of_samples(cause: Cause, recorded: Recorded) -> float:
    """Time that samples spent in it, for each nanosecond that was recorded."""
    wanted = "task" if cause.cause == "sched" else cause.cause
    total_ns = sum(
        taken.total_ns
        for taken in recorded.taken
        if (
            _is_timer(taken.cause, taken.name)
            if cause.cause == "tick"
            else (taken.cause, taken.name) == (wanted, cause.name)
        )
    )
    duration_ns = sum(recorded.durations.values())
    return total_ns / duration_ns if duration_ns else 0.0


def _is_timer(cause: str, name: str | None) -> bool:
    return cause == "irq" and "timer" in (name or "")


def _told(cause: Cause) -> str:
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
