"""Markdown, for a comment or a summary."""

from collections.abc import Iterator, Sequence

from jitterscope.terminal.reports.result import CheckedFile, measured_text
from jitterscope.terminal.text import plain

_SIGNS = {"passed": "✅ passed", "failed": "❌ **failed**", "undecidable": "⚠️ undecidable"}
# With a backslash before them, they are characters and no markup, links or mentions.
_MARKUP = "\\`*_{}[]<>()#+-.!|~@&"


def markdown(files: Sequence[CheckedFile]) -> str:
    """A table a file, with the verdict on the worst case of each check that did not pass."""
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
            link = [f"<{plain(result.link)}>"] if result.link else []
            why = "<br>".join([*(_text(one) for one in (result.reason, result.worst) if one), *link])
            cells = [_text(result.name), _SIGNS[result.outcome], measured_text(result.measured), why]
            yield f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    return "".join(f"\\{one}" if one in _MARKUP else one for one in plain(text))
