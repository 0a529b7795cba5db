"""Markdown, for a comment or a summary."""

import re
from collections.abc import Iterator, Sequence

from jitterscope.terminal.reports.result import CheckedFile, Drawn, measured_text
from jitterscope.terminal.text import plain

_SIGNS = {"passed": "✅ passed", "failed": "❌ **failed**", "undecidable": "⚠️ undecidable"}
# With a backslash before them, they are characters and no markup, links or mentions.
_MARKUP = "\\`*_{}[]<>()#+-.!|~@&"


def markdown(files: Sequence[CheckedFile]) -> str:
    """A table a file, with the verdict on the worst case of each check that did not pass, and its ruler."""
    return "\n".join(_lines(files))


def _lines(files: Sequence[CheckedFile]) -> Iterator[str]:
    for number, file in enumerate(files):
        if number > 0:
            yield ""
        yield f"### {_text(file.name)}"
        yield ""
        yield "| Check | Result | Measured | Why |"
        yield "| --- | --- | ---: | --- |"
        for result in file.results:
            link = [f"<{plain(result.drawn.link)}>"] if result.drawn.link else []
            why = "<br>".join([*(_text(one) for one in (result.reason, result.worst) if one), *link])
            cells = [_text(result.name), _SIGNS[result.outcome], measured_text(result.measured), why]
            yield f"| {' | '.join(cells)} |"
        for result in file.results:
            yield from _ruler(result.drawn)


def _ruler(drawn: Drawn) -> Iterator[str]:
    """As a picture where it was uploaded, and in characters, which every reader of Markdown can show."""
    if drawn.picture:
        yield ""
        yield f"![The ruler of the case]({plain(drawn.picture)})"
    if drawn.lines:
        lines = [plain(line) for line in drawn.lines]
        # A fence ends at as many backticks as it begins with.
        longest = max((len(ticks) for ticks in re.findall("`+", "\n".join(lines))), default=0)
        fence = "`" * max(3, longest + 1)
        yield from ("", f"{fence}text", *lines, fence)


def _text(text: str) -> str:
    return "".join(f"\\{one}" if one in _MARKUP else one for one in plain(text))
