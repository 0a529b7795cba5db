"""What else differs between variants, and what of them is not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jitterscope.explore.compare.members import Members
from jitterscope.store.models import Trace

# What may explain a difference of latencies, in the words of a person; None where a file does not state it.
_FACTS: dict[str, Callable[[Trace], object]] = {
    "kernel": lambda trace: trace.kernel,
    "tracer": lambda trace: trace.tracer,
    "trace clock": lambda trace: trace.clock,
    "format": lambda trace: trace.format,
    "number of CPUs": lambda trace: trace.cpu_count,
    "command line": lambda trace: (trace.facts or {}).get("cmdline"),
}
_SHOWN = 3


def guard(variants: Sequence[Members]) -> list[str]:
    """Whole sentences, those that could explain a difference first."""
    found = []
    for what, fact in _FACTS.items():
        by_variant = [
            frozenset(str(value) for trace in members.traces if (value := fact(trace)) is not None)
            for members in variants
        ]
        if len(set(by_variant)) > 1:
            told = [
                f"{members.variant.name}: {_listed(values)}"
                for members, values in zip(variants, by_variant, strict=True)
            ]
            found.append(f"The {what} differs. " + "; ".join(told) + ".")
    for members in variants:
        found += _of_variant(members)
    return found


def _of_variant(members: Members) -> list[str]:
    name, found = members.variant.name, []
    without = len(members.traces) - members.unready - members.unsummed - len(members.members)
    lossy = sum(1 for member in members.members if member.trace.lost_events)
    for count, what in (
        (members.unready, "not loaded yet, or could not be"),
        (members.unsummed, "loaded by an earlier version: load them again to include them"),
        (max(without, 0), "without such samples"),
        (lossy, "with lost events, where latencies may be missing"),
    ):
        if count:
            found.append(f"{name}: {count} of {len(members.traces)} traces {what}.")
    return found


def _listed(values: frozenset[str]) -> str:
    if not values:
        return "not stated"
    shown = sorted(values)[:_SHOWN]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
