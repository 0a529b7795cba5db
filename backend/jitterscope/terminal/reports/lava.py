"""Signals of LAVA, which a test prints and the dispatcher reads from the log."""

import re
from collections.abc import Iterator, Sequence

from jitterscope.terminal.reports.result import CheckedFile

# lava-test-case knows no other characters that arrive as they are.
_ODD = re.compile(r"[^A-Za-z0-9._=-]+")
_WORDS = {"<=": "le", ">=": "ge", "==": "eq", "<": "lt", ">": "gt"}
_RESULTS = {"passed": "pass", "failed": "fail", "undecidable": "unknown"}


def lava(files: Sequence[CheckedFile]) -> str:
    """A test case a check, with its number; what could not be decided is `unknown`, never `pass`."""
    return "\n".join(_lines(files))


def _lines(files: Sequence[CheckedFile]) -> Iterator[str]:
    for file in files:
        for result in file.results:
            fields = [
                f"TEST_CASE_ID={_id(f'{file.name}:{result.name}')}",
                f"RESULT={_RESULTS[result.outcome]}",
            ]
            if result.measured is not None:
                number, unit = result.measured
                fields += [f"MEASUREMENT={number}", f"UNITS={unit}"]
            yield f"<LAVA_SIGNAL_TESTCASE {' '.join(fields)}>"


def _id(text: str) -> str:
    """`trace.dat-wakeup-comm=cyclictest-max-le-50us`."""
    words = " ".join(_WORDS.get(word, word) for word in text.split(" "))
    return _ODD.sub("-", words).strip("-")
