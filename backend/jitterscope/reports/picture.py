"""A chart as a standalone picture."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

from jitterscope.reports.axis import CHART_WIDTH
from jitterscope.reports.elements import CHART_STYLE, tag, xml_text

TITLE_HEIGHT = 24
"""Pixels above the chart, for the sentence."""

_TITLE_CHARS = 150


def picture(title: str, drawn: Iterable[Element], height: int) -> str:
    """The SVG of what is drawn from `TITLE_HEIGHT` on, so high with the sentence above it."""
    shown = title if len(title) <= _TITLE_CHARS else f"{title[: _TITLE_CHARS - 1]}…"
    svg = tag(
        "svg",
        tag("title", title),
        tag("style", CHART_STYLE),
        tag("rect", class_="ground", width="100%", height="100%"),
        tag("text", shown, class_="title", x="4", y="16"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {CHART_WIDTH} {height}",
        width=f"{CHART_WIDTH}",
        height=f"{height}",
    )
    return xml_text(tostring(svg, encoding="unicode"))
