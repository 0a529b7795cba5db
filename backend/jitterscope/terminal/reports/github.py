"""Commands of GitHub Actions, which become annotations of the run."""

import os
from collections.abc import Iterator, Sequence

from jitterscope.terminal.reports.markdown import markdown
from jitterscope.terminal.reports.result import CheckedFile, Result
from jitterscope.terminal.text import plain

_COMMANDS = {"passed": "notice", "failed": "error", "undecidable": "warning"}


def github(files: Sequence[CheckedFile]) -> str:
    """An annotation a check; and the table of `markdown` in the summary of the job, where there is one."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:  # noqa: PTH123 (as in the other commands)
            file.write(markdown(files) + "\n")
    return "\n".join(_lines(files))


def _lines(files: Sequence[CheckedFile]) -> Iterator[str]:
    for file in files:
        for result in file.results:
            title = _property(f"{file.name}: {result.name}")
            yield f"::{_COMMANDS[result.outcome]} title={title}::{_data(_message(result))}"


def _message(result: Result) -> str:
    return "; ".join(result.explanation) or "passed"


def _data(text: str) -> str:
    """Of these, GitHub's runner makes the characters again."""
    return plain(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
