"""What else differs between variants, and what of them is not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from jitterscope.explore.compare.clocks import left_out
from jitterscope.explore.compare.members import Members
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.explore.compare.words import counted, listed
from jitterscope.store.models import Trace, TraceStatus

# What may explain a difference of latencies, in the words of a person; None where a file does not state it.
FACTS: dict[str, Callable[[Trace], object]] = {
    "kernel": lambda trace: trace.kernel,
    "tracer": lambda trace: trace.tracer,
    "trace clock": lambda trace: trace.clock,
    "format": lambda trace: trace.format,
    "number of CPUs": lambda trace: trace.cpu_count,
    "command line": lambda trace: (trace.facts or {}).get("cmdline"),
}
_SHOWN = 3
# Of the recorded time of a CPU.
_OTHER_LOAD = 0.25


# What a difference may come from and few files state.
_SELDOM_STATED = ("kernel", "command line")


def guard(variants: Sequence[Members], recorded: Sequence[Recorded]) -> list[str]:
    """Whole sentences, those that could explain a difference first."""
    found = clocks_guard(variants, recorded)
    for what in FACTS:
        known = [(name, values) for name, values in _stated(variants, what) if values]
        if len({values for _, values in known}) > 1:
            values_text = ", ".join(f"{listed(values)} ({name})" for name, values in known)
            found.append(f"The {what} differs: {values_text}.")
        if known and len(known) < len(variants):
            values_text = ", ".join(f"{listed(values)} ({name})" for name, values in known)
            found.append(f"The {what} is known of some variants only: {values_text}.")
    for members, rows in zip(variants, recorded, strict=True):
        found += _of_variant(members, rows)
    return found


def clocks_guard(variants: Sequence[Members], recorded: Sequence[Recorded] = ()) -> list[str]:
    """Whole sentences on the traces that are left out for their clocks, and on ticks of unknown length.

    A trace without samples is left out if it would have said what took the CPUs.
    """
    found = []
    for members, rows in zip_longest(variants, recorded):
        keys = {trace.key for trace in members.unlike} | (rows.unlike if rows else frozenset())
        unlike = [trace for trace in members.traces if trace.key in keys]
        if unlike:
            found.append(left_out(members.variant.name, unlike, len(members.traces), members.scale))
    compared = sum(len(members.members) for members in variants)
    if compared > 1 and variants[0].scale.unit == "ticks":
        found.append("The clocks count ticks of unknown length, which may not be the same in all traces.")
    return found


def notes(variants: Sequence[Members], recorded: Sequence[Recorded]) -> list[str]:
    """Whole sentences on where the numbers come from and what no file states."""
    found = [
        (members.variant.name, _sources(members, rows))
        for members, rows in zip(variants, recorded, strict=True)
    ]
    if len(found) > 1 and len({sources for _, sources in found}) == 1:
        found = [("each variant", found[0][1])]
    sentences = [f"In {name}, {sources}." for name, sources in found if sources]
    sentences += _loads(variants, recorded)
    unknown = [what for what in _SELDOM_STATED if not any(values for _, values in _stated(variants, what))]
    if len(variants) > 1 and unknown:
        sentences.append(
            f"These files do not state the {' or the '.join(unknown)}: a difference there would not show."
        )
    return sentences


def _loads(variants: Sequence[Members], recorded: Sequence[Recorded]) -> list[str]:
    """CPUs that are idle in one variant and busy in another: rates there say more of that than of a cause."""
    shares = [rows.busy_shares() for rows in recorded]
    loads = []
    for cpu in sorted(frozenset[int]().union(*shares)):
        known = [
            (members.variant.name, own[cpu])
            for members, own in zip(variants, shares, strict=True)
            if cpu in own
        ]
        least, most = min(share for _, share in known), max(share for _, share in known)
        if most - least >= _OTHER_LOAD and most >= 2 * least:
            loads.append(f"CPU {cpu} {', '.join(f'{100 * share:.0f} % ({name})' for name, share in known)}")
    if not loads:
        return []
    shown = loads if len(loads) <= _SHOWN + 1 else loads[:_SHOWN]
    more = "" if shown == loads else f", and {len(loads) - _SHOWN} more CPUs as differently"
    return [
        f"Tasks ran for different parts of the recorded time: {'; '.join(shown)}{more}. "
        "Rates of what took the CPUs are over all of that time, idle time included."
    ]


def _stated(variants: Sequence[Members], what: str) -> list[tuple[str, frozenset[str]]]:
    fact = FACTS[what]
    return [
        (
            members.variant.name,
            frozenset(str(value) for trace in members.traces if (value := fact(trace)) is not None),
        )
        for members in variants
    ]


def _without_samples(members: Members) -> list[Trace]:
    having = {one.trace.key for one in members.members} | {one.key for one in members.unlike}
    return [
        one
        for one in members.traces
        if one.key not in having and one.key not in members.unsummed and one.status == TraceStatus.READY
    ]


def _sources(members: Members, recorded: Recorded) -> str:
    """Where the numbers and the causes are from, if not from the same files."""
    having, others = [one.trace for one in members.members], _without_samples(members)
    if not having or not others:
        return ""
    telling = sum(one.key in recorded.durations for one in others)
    if telling and all(one.key in recorded.measured for one in having):
        return (
            f"the numbers are from {counted(len(having), 'measurement file')}, and what took the CPUs is "
            f"from {counted(telling, 'trace')}"
        )
    files = sum(one.key in recorded.measured for one in others)
    if files:
        return (
            f"the numbers are from {counted(len(having), 'trace')}, and not from "
            f"{counted(files, 'measurement file')}"
        )
    return ""


def _of_variant(members: Members, recorded: Recorded) -> list[str]:
    name, found = members.variant.name, []
    silent = _without_samples(members)
    if members.members:
        # Measurements and the traces of the same runs are in one variant on purpose.
        beside = recorded.durations.keys() | recorded.measured
        silent = [one for one in silent if one.key not in beside]
    lossy = sum(1 for member in members.members if member.trace.lost_events)
    total = len(members.traces)
    for count, one, several in (
        (members.unready, "is not loaded yet, or failed to load", "are not loaded yet, or failed to load"),
        (
            len(members.unsummed),
            "was loaded by an earlier version and is left out: load it again",
            "were loaded by an earlier version and are left out: load them again",
        ),
        (len(silent), "has no samples of this measure", "have no samples of this measure"),
        (lossy, *2 * ("lost events, so latencies may be missing",)),
    ):
        if count:
            found.append(f"{name}: {count:,} of {counted(total, 'trace')} {one if count == 1 else several}.")
    return found
