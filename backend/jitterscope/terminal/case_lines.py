"""A case as lines of text: its sentence, its ruler in characters, and its chain."""

from collections import Counter
from collections.abc import Iterator, Sequence

from jitterscope.reports.times import duration_text, place_text, share_text, stretches_text
from jitterscope.terminal.recording import Item
from jitterscope.terminal.text import Piece, lines_of, plain, ruler

_RULER_WIDTH = 60
# Links of a chain that are shown; the rest is summed up.
_MOST_LINKS = 12
_MOST_BLAME = 5


def case_lines(case: Item) -> Iterator[str]:
    """The sentence of a case as REST has it, its ruler, and each stretch of its chain with its share."""
    yield from lines_of(case["headline"])
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
            head = f"  {at:>12}  {share_text(link['duration_ns'], duration):>7}  "
            yield from lines_of(f"{head}{link['sentence']}", len(head))
        if len(links) > len(shown):
            rest = sum(link["duration_ns"] for link in links) - sum(link["duration_ns"] for link in shown)
            words = stretches_text(len(links) - len(shown))
            yield f"  {'':>12}  {share_text(rest, duration):>7}  {words}"
    elif case["blame"]:
        yield from _blame_lines(case["blame"], duration, unit)
    at = place_text(start) if unit == "ns" else f"{start:,} {unit}"
    yield plain(f"  {case['id']}, {at}")


def _blame_lines(blame: Sequence[Item], duration: int, unit: str) -> Iterator[str]:
    shown, rest = blame[:_MOST_BLAME], blame[_MOST_BLAME:]
    rows = [
        (one["duration_ns"], f"{one['what']} ({one['where']})" if one["where"] else one["what"])
        for one in shown
    ]
    if rest:
        rows.append((sum(one["duration_ns"] for one in rest), f"{len(rest)} more rows"))
    for time, what in rows:
        yield plain(f"  {duration_text(time, unit):>12}  {share_text(time, duration):>7}  {what}")


def _of(link: Item) -> tuple[str, str]:
    subject = link["subject"]
    return link["mechanism"], subject["name"] if subject else ""


def _cause(links: Sequence[Item]) -> tuple[str, str]:
    """What took most of the case, by mechanism and subject."""
    totals: Counter[tuple[str, str]] = Counter()
    for link in links:
        totals[_of(link)] += link["duration_ns"]
    # `most_common(1)` would load a heap for it.
    return max(totals, key=lambda cause: totals[cause])
