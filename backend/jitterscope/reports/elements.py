"""What reports are made of: elements, the page around them, and the same elements as plain text."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

# Nothing is loaded, and nothing runs.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups"
)

CHART_STYLE = Path(__file__).with_name("chart.css").read_text(encoding="utf-8")
"""Colours and strokes of charts."""

_STYLE = CHART_STYLE + Path(__file__).with_name("report.css").read_text(encoding="utf-8")
_TEXT_WIDTH = 100
_DEEP = " " * 6
# XML has no way to write these, and the names of tasks can hold them.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def page(title: str, body: Iterable[Element]) -> str:
    """A whole HTML file. Everything that comes from traces is escaped."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", title),
        tag("style", _STYLE),
    )
    whole = tag("html", head, tag("body", *body), lang="en")
    return "<!doctype html>" + tostring(whole, encoding="unicode", method="html")


def text(body: Iterable[Element]) -> list[str]:
    """The lines of the page, without its charts. Characters that would steer a terminal are shown as `?`."""
    lines = (line for element in body for line in _lines(element))
    return ["".join(char if char.isprintable() else "?" for char in line) for line in lines]


def tag(name: str, /, *content: Element | str, **attributes: str) -> Element:
    """An element; `class_` is its class, and `aria_label` its `aria-label`."""
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value}
    element = Element(name, named)
    for part in content:
        if isinstance(part, Element):
            element.append(part)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + part
        else:
            element.text = (element.text or "") + part
    return element


def link(words: str, url: str) -> Element:
    """A link, or only its words where there is no server to link to."""
    return tag("a", words, href=url) if "://" in url else tag("span", words)


def xml_text(text: str) -> str:
    """The text with a replacement for each character that XML cannot hold."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def titled_list(title: str, lines: Sequence[str], look: str = "") -> Iterator[Element]:
    """A heading and the lines under it; nothing where there are none."""
    if lines:
        yield tag("h2", title)
        yield tag("ul", *(tag("li", line) for line in lines), class_=look)


def _lines(element: Element) -> Iterator[str]:
    """An element of the page as text."""
    if "chart" in element.get("class", ""):
        return
    words = "".join(element.itertext())
    match element.tag:
        case "h2":
            yield from ("", f"{words}:")
        case "ul":
            for item in element:
                words = "".join(item.itertext())
                yield from textwrap.wrap(words, _TEXT_WIDTH, initial_indent="  ", subsequent_indent=_DEEP)
        case "table":
            yield from _table_lines(element)
        case "div":
            yield from (line for child in element for line in _lines(child))
        case "footer":
            yield from ("", words)
        case _:
            yield from textwrap.wrap(words, _TEXT_WIDTH)


def _table_lines(table: Element) -> Iterator[str]:
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    # The last column is as wide as it likes.
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row, cells in zip(table, rows, strict=True):
        yield "  ".join([*map(str.rjust, cells, widths), cells[-1]])
        if (link := row.find(".//a")) is not None:
            # Under the last column it would begin beyond the edge of a mail, behind an empty line.
            yield f"{_DEEP}{link.get('href')}"
