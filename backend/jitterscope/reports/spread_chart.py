"""The samples of variants on one scale: percentile curves of times, sorted samples of counts."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element

from jitterscope.reports.axis import CHART_WIDTH, keys
from jitterscope.reports.elements import tag
from jitterscope.reports.picture import TITLE_HEIGHT, picture
from jitterscope.reports.times import value_text
from jitterscope.schemas.compare import DistributionAnswer, VariantSpread

_HEIGHT = 380
_LEFT = 84
_RIGHT = 12
_BOTTOM = 22
_TOP = 8
# Colours repeat from here on; the words beside them do not.
_LOOKS = 8
# Values further apart than this are drawn on a logarithmic scale.
_LINEAR_BELOW = 4
_NINES = ((0, "min"), (0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9"), (0.9999, "p99.99"))
_LAST_NINE = (0.99999, "p99.999")
_QUARTERS = ((0, "0 %"), (0.25, "25 %"), (0.5, "50 %"), (0.75, "75 %"), (1, "100 %"))
_LINEAR_TICKS = 5
_ZEROS = re.compile(r"(\.\d*?)0+(?= )")


class _Tick(NamedTuple):
    at: float
    words: str


@dataclass(frozen=True)
class _Scale:
    """From values to pixels; `of` makes a logarithm, or nothing, of them."""

    of: Callable[[float], float]
    low: float
    high: float
    first_px: float
    last_px: float

    def px(self, value: float) -> float:
        low, high = self.of(self.low), self.of(self.high)
        part = (self.of(value) - low) / (high - low) if high > low else 0
        return self.first_px + part * (self.last_px - self.first_px)


def spread_chart(found: DistributionAnswer) -> Iterator[Element]:
    """The drawing for a page, with the name of each curve under it; nothing without samples."""
    if not found.variants:
        return
    size = f"0 0 {CHART_WIDTH} {_HEIGHT}"
    chart = tag("svg", *_drawn(found, 0), viewBox=size, role="img", aria_label=_title(found))
    yield tag("h2", _title(found), class_="chart")
    yield tag("div", chart, class_="wide chart")
    yield from keys({f"variant {_look(at)}": one.name for at, one in enumerate(found.variants)})


def spread_svg(found: DistributionAnswer, title: str) -> str:
    """The same as a standalone picture, under a sentence, with the names in it."""
    drawn = [*_drawn(found, TITLE_HEIGHT), *_names(found.variants, TITLE_HEIGHT + _TOP)]
    return picture(title, drawn, TITLE_HEIGHT + _HEIGHT)


def _title(found: DistributionAnswer) -> str:
    return "Sorted samples" if found.unit == "none" else "Percentiles"


def _look(at: int) -> str:
    return f"v{at % _LOOKS}"


def _drawn(found: DistributionAnswer, top: int) -> Iterator[Element]:
    spreads = found.variants
    if not spreads:
        return
    is_time = found.unit != "none"
    bottom = top + _HEIGHT - _BOTTOM
    values = _value_scale(spreads, bottom, top + _TOP)
    shares, share_ticks = (_nines if is_time else _quarters)(max(one.count for one in spreads))
    for tick in share_ticks:
        x = shares.px(tick.at)
        yield tag("path", class_="tick", d=f"M{x:.2f} {top + _TOP}V{bottom}")
        anchor = "end" if x > CHART_WIDTH - _RIGHT - 1 else "middle"
        yield tag("text", tick.words, class_="tick", x=f"{x:.2f}", y=f"{bottom + 15}", text_anchor=anchor)
    if found.unit == "ticks":
        yield tag("text", "clock ticks", class_="tick", x="4", y=f"{bottom + 15}")
    for tick in _value_ticks(values, found.unit):
        y = values.px(tick.at)
        yield tag("path", class_="tick", d=f"M{_LEFT} {y:.2f}H{CHART_WIDTH - _RIGHT}")
        yield tag("text", tick.words, class_="tick", x=f"{_LEFT - 6}", y=f"{y + 3:.2f}", text_anchor="end")
    for at, spread in enumerate(spreads):
        yield tag(
            "path", tag("title", spread.name), class_=f"curve {_look(at)}", d=_curve(spread, shares, values)
        )


def _value_scale(spreads: Sequence[VariantSpread], low_px: int, high_px: int) -> _Scale:
    low = min(one.min_ns for one in spreads)
    high = max(one.max_ns for one in spreads)
    is_linear = low <= 0 or high < _LINEAR_BELOW * low
    return _Scale(float if is_linear else math.log, low, high, low_px, high_px)


def _nines(most: int) -> tuple[_Scale, list[_Tick]]:
    """Each nine as wide as the next, up to the rarest sample."""
    last = 1 - 1 / max(most, 2)
    scale = _Scale(lambda share: -math.log10(1 - share), 0, last, _LEFT, CHART_WIDTH - _RIGHT)
    return scale, [_Tick(at, words) for at, words in (*_NINES, _LAST_NINE) if at <= last]


def _quarters(_most: int) -> tuple[_Scale, list[_Tick]]:
    scale = _Scale(float, 0, 1, _LEFT, CHART_WIDTH - _RIGHT)
    return scale, [_Tick(at, words) for at, words in _QUARTERS]


def _value_ticks(scale: _Scale, unit: str) -> Iterator[_Tick]:
    """Round values; on a logarithmic scale 1, 2 and 5 of each decade, of less than one all digits."""
    low, high = round(scale.low), round(scale.high)
    if scale.of is math.log:
        decades = range(len(str(max(low, 1))) - 1, len(str(high)))
        digits = (1, 2, 5) if high >= 10 * low else range(1, 10)
        rounds = [digit * 10**power for power in decades for digit in digits]
    else:
        width = max(high - low, 1)
        power = 10 ** max(len(str(width // _LINEAR_TICKS)) - 1, 0)
        steps = [power * digit for digit in (1, 2, 5) if power * digit * _LINEAR_TICKS <= width]
        step = max(steps, default=1)
        rounds = list(range(-(-low // step) * step, high + 1, step))
    yield from (_Tick(at, _round_text(at, unit)) for at in rounds if low <= at <= high)


def _round_text(value: int, unit: str) -> str:
    """`50 µs`, `1.5 ms`: zeros at the end of a round number say nothing; ticks of clocks are said once."""
    if unit == "ticks":
        return f"{value:,}"
    return _ZEROS.sub(lambda found: found[1].rstrip("."), value_text(value, unit))


def _curve(spread: VariantSpread, shares: _Scale, values: _Scale) -> str:
    """A sorted sample holds until the next one begins."""
    ranks, sorted_ns = spread.shelves.rank, spread.shelves.duration_ns
    path = f"M{shares.px(0):.2f} {values.px(sorted_ns[0]):.2f}"
    for rank, value in zip(ranks[1:], sorted_ns[1:], strict=True):
        # The share of samples below this one.
        path += f"H{shares.px(rank / spread.count):.2f}V{values.px(value):.2f}"
    return path + f"H{shares.px(min(1 - 1 / (2 * spread.count), shares.high)):.2f}"


def _names(spreads: Sequence[VariantSpread], top: int) -> Iterator[Element]:
    for at, spread in enumerate(spreads):
        y = top + 14 * (at + 1)
        yield tag("path", class_=f"curve {_look(at)}", d=f"M{_LEFT + 10} {y - 3}h24")
        yield tag("text", spread.name, x=f"{_LEFT + 40}", y=f"{y}")
