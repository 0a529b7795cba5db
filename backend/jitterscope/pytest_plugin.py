"""A plug-in of pytest: a test for each check of each recording.

    pytest --jitterscope-rules rules.toml traces/*.dat

Tests that record something themselves have the fixture `jitterscope_check`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import pytest

from jitterscope.terminal.answers import warn
from jitterscope.terminal.check import check_recording
from jitterscope.terminal.recording import Refusal, read_recording
from jitterscope.terminal.reports.result import CheckedFile, Result, limit_text
from jitterscope.terminal.rules import BadRules, Rule, read_rules

_OPTION = "--jitterscope-rules"


class LatencyFailure(Exception):
    """A check that did not pass: it failed, or could not be decided."""

    def __init__(self, result: Result) -> None:
        self.result = result
        lines = [f"{result.name}: {result.outcome}", result.reason, result.worst]
        super().__init__("\n".join(filter(None, lines)))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The file of limits."""
    group = parser.getgroup("jitterscope", "latencies of ftrace recordings")
    group.addoption(
        _OPTION, metavar="FILE", help="TOML file of limits for the recordings among the arguments"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Raises: UsageError, before anything runs, if the limits mean nothing."""
    if config.getoption(_OPTION) is not None:
        _rules_of(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "RecordingFile | None":
    """A recording is a file that is named on the command line, and no test."""
    if parent.config.getoption(_OPTION) is None or file_path.suffix == ".py":
        return None
    if not parent.session.isinitpath(file_path):
        return None
    return RecordingFile.from_parent(parent, path=file_path)


@pytest.fixture
def jitterscope_check(pytestconfig: pytest.Config) -> Callable[[Path], None]:
    """Checks a recording against the limits. What it returns raises LatencyFailure where one is not kept."""
    rules = _rules_of(pytestconfig)

    def check(recording: Path) -> None:
        for result in _results(recording, rules):
            if result.outcome != "passed":
                raise LatencyFailure(result)

    return check


class RecordingFile(pytest.File):
    """A recording, which is read when its first check runs."""

    def collect(self) -> "Iterator[CheckItem]":
        """A test a check. What is checked and how much is allowed is its name."""
        for number, rule in enumerate(_rules_of(self.config)):
            yield CheckItem.from_parent(self, name=limit_text(rule), number=number)

    @cached_property
    def results(self) -> Sequence[Result]:
        """Of each check, in their order."""
        return _results(self.path, _rules_of(self.config))


class CheckItem(pytest.Item):
    """One check of one recording."""

    def __init__(self, *, number: int, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type] # as pytest hands them on
        self._number = number

    def runtest(self) -> None:
        """Raises: LatencyFailure if it does not pass."""
        assert isinstance(self.parent, RecordingFile)  # noqa: S101 (it is made by one)
        result = self.parent.results[self._number]
        if result.measured is not None:
            number, unit = result.measured
            self.user_properties.append((unit, number))
        if result.outcome != "passed":
            raise LatencyFailure(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """Sentences, where others have a traceback."""
        if isinstance(excinfo.value, LatencyFailure | Refusal):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """What a summary calls it."""
        return self.path, None, f"{self.path.name}: {self.name}"


def _rules_of(config: pytest.Config) -> Sequence[Rule]:
    path = config.getoption(_OPTION)
    if path is None:
        raise pytest.UsageError(f"{_OPTION} names the file of limits")
    try:
        return read_rules(path)
    except BadRules as error:
        raise pytest.UsageError(str(error)) from error


def _results(recording: Path, rules: Sequence[Rule]) -> Sequence[Result]:
    found = warn(read_recording(str(recording)))
    return CheckedFile.of(found.name, check_recording(found, rules), {}).results
