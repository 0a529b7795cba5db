"""TAP, the Test Anything Protocol, version 14."""

import json
from collections.abc import Iterator, Sequence

from jitterscope.terminal.reports.result import CheckedFile, measured_text
from jitterscope.terminal.text import plain


def tap(files: Sequence[CheckedFile]) -> str:
    """A test point a check, with what is known of it as YAML; what could not be decided is not ok."""
    return "\n".join(_lines(files))


def _lines(files: Sequence[CheckedFile]) -> Iterator[str]:
    yield "TAP version 14"
    yield f"1..{sum(len(file.results) for file in files)}"
    number = 0
    for file in files:
        for result in file.results:
            number += 1
            word = "ok" if result.outcome == "passed" else "not ok"
            yield f"{word} {number} - {_description(f'{file.name}: {result.name}')}"
            yield "  ---"
            details = {
                "outcome": result.outcome,
                "measured": measured_text(result.measured),
                "message": result.reason,
                "worst": result.worst,
                "link": result.drawn.link,
            }
            for name, value in details.items():
                if value:
                    # A JSON string is a YAML string, too.
                    yield f"  {name}: {json.dumps(plain(value), ensure_ascii=False)}"
            yield "  ..."


def _description(text: str) -> str:
    """In which `#` would begin a directive such as TODO, which turns a failure into a success."""
    return plain(text).replace("\\", "\\\\").replace("#", "\\#")
