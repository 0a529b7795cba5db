"""`jitterscope why`: the worst cases of a recording, and why each was late."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jitterscope import _ftrace
from jitterscope.terminal.recording import Recording, Refusal, read_recording
from jitterscope.terminal.text import Piece, duration_text, plain, ruler

Item = Mapping[str, Any]  # JSON as REST has it

_RULER_WIDTH = 60
# Links of a chain that are shown; the rest is summed up.
_MOST_LINKS = 12
_MOST_BLAME = 5


class NothingMeasured(Refusal):
    """The recording has no such latency."""


@dataclass(frozen=True)
class Asked:
    """What of a recording is asked for."""

    kind: str | None = None
    comm: str | None = None
    pid: int | None = None
    top: int = 1

    @property
    def tasks(self) -> dict[str, str | int]:
        """The filter on tasks, as the endpoints have it."""
        chosen: dict[str, str | int] = {}
        if self.comm is not None:
            chosen["comm"] = self.comm
        if self.pid is not None:
            chosen["pid"] = self.pid
        return chosen


@dataclass(frozen=True)
class Why:
    """The worst case of each kind, and the worst of one kind in full, worst first."""

    kinds: Sequence[Item]
    cases: Sequence[Item]


async def why(recording: Recording, asked: Asked) -> Why:
    """What REST answers to the same questions.

    Raises: RequestError of the core for parameters that mean nothing, NothingMeasured.
    """
    answer = await recording.ask("latency_kinds", asked.tasks)
    kinds = [kind for kind in answer["items"] if kind["count"]]
    if asked.kind is not None:
        kinds = [kind for kind in kinds if kind["kind"] == asked.kind]
    if not kinds:
        raise NothingMeasured(_nothing(answer["items"], asked))
    request = {"kind": kinds[0]["kind"], "sort": "-duration", "limit": asked.top, **asked.tasks}
    worst = await recording.ask("latencies", request)
    cases = [await recording.ask("latency_case", {"case": item["id"]}) for item in worst["items"]]
    return Why(kinds, cases)


def _nothing(kinds: Sequence[Item], asked: Asked) -> str:
    if asked.kind is None:
        return "no latency was measured; see docs/latencies.md for the events that each kind needs"
    known = [kind["kind"] for kind in kinds]
    if asked.kind not in known:
        return f"{asked.kind!r} is no kind of latency; there are {', '.join(known)}"
    present = [kind["kind"] for kind in kinds if kind["count"]]
    return f"there is no {asked.kind} latency; this recording has {', '.join(present) or 'none'}"


def json_of(recording: Recording, found: Why) -> str:
    """One object: `kinds` and `cases` as the endpoints of the same names answer."""
    answer = {"file": recording.name, "kinds": found.kinds, "cases": found.cases}
    return json.dumps(answer, ensure_ascii=True, indent=2)


def text_of(recording: Recording, found: Why, *, shows_kinds: bool) -> Iterator[str]:
    """Lines for a terminal: the file, the worst of each kind, and each case with its ruler and chain."""
    yield plain(f"{recording.name}: {_about(recording)}")
    if shows_kinds:
        yield ""
        width = max(len(kind["kind"]) for kind in found.kinds)
        for kind in found.kinds:
            worst = kind["worst"]
            count = f"{kind['count']:,}"
            text = worst["headline"] if worst else ""
            yield plain(f"  {kind['kind']:<{width}}  {count:>11}  {text}")
    for case in found.cases:
        yield ""
        yield from _case_lines(case)


def print_why(files: Sequence[str], asked: Asked, *, as_json: bool) -> int:
    """Prints the answer for each file, and one line for each that has none. Returns the exit status."""
    status = 0
    for number, file in enumerate(files):
        try:
            recording = read_recording(file)
            found = asyncio.run(why(recording, asked))
        except (Refusal, _ftrace.RequestError) as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            status = 1
            continue
        if as_json:
            print(json_of(recording, found))
            continue
        if number > 0:
            print()
        print("\n".join(text_of(recording, found, shows_kinds=asked.kind is None)))
    return status


def _about(recording: Recording) -> str:
    summary = recording.summary
    known = [
        summary.format,
        summary.kernel and f"Linux {summary.kernel}",
        f"{summary.cpu_count} CPU{'' if summary.cpu_count == 1 else 's'}",
        f"{summary.event_count:,} events",
        f"{duration_text(summary.duration_ns, summary.time_unit or 'ns')}",
        summary.lost_events and f"{summary.lost_events:,} events lost",
    ]
    return ", ".join(str(one) for one in known if one)


def _case_lines(case: Item) -> Iterator[str]:
    yield plain(case["headline"])
    links = case["why"]
    duration, unit, start = case["duration_ns"], case["unit"], case["t"]
    if links:
        cause = _cause(links)
        pieces = [
            Piece(link["start"] - start, link["start"] - start + link["duration_ns"], _of(link) == cause)
            for link in links
        ]
        yield f"  {ruler(pieces, duration, _RULER_WIDTH)}  {duration_text(duration, unit)}"
        shown = sorted(links, key=lambda link: -link["duration_ns"])[:_MOST_LINKS]
        for link in sorted(shown, key=lambda link: link["start"]):
            at = f"+{duration_text(link['start'] - start, unit)}"
            yield plain(f"  {at:>12}  {_share(link['duration_ns'], duration):>4}  {link['sentence']}")
        if len(links) > len(shown):
            rest = sum(link["duration_ns"] for link in links) - sum(link["duration_ns"] for link in shown)
            yield f"  {'':>12}  {_share(rest, duration):>4}  {len(links) - len(shown)} shorter stretches"
    elif case["blame"]:
        for blame in case["blame"][:_MOST_BLAME]:
            who = " ".join(str(blame[name]) for name in ("what", "where") if blame[name])
            share = _share(blame["duration_ns"], duration)
            yield plain(f"  {duration_text(blame['duration_ns'], unit):>12}  {share:>4}  {who}")
    yield plain(f"  {case['id']}, at {_stamp(case)}")


def _of(link: Item) -> tuple[str, str]:
    subject = link["subject"]
    return link["mechanism"], subject["name"] if subject else ""


def _cause(links: Sequence[Item]) -> tuple[str, str]:
    """What took most of the case, by mechanism and subject."""
    totals: Counter[tuple[str, str]] = Counter()
    for link in links:
        totals[_of(link)] += link["duration_ns"]
    return totals.most_common(1)[0][0]


def _share(part: int, whole: int) -> str:
    return f"{part * 100 // max(1, whole)} %"


def _stamp(case: Item) -> str:
    """Where it begins in the recording."""
    seconds, rest = divmod(case["t"], 1_000_000_000)
    if case["unit"] != "ns":
        return f"{case['t']:,} {case['unit']}"
    return f"{seconds}.{rest:09} s from the first record"
