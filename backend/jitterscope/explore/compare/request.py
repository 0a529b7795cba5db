"""What is to be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from jitterscope.problems import InvalidParameter
from jitterscope.store.summaries import SPLITS, GroupBy, SplitBy


@dataclass(frozen=True)
class Measure:
    """A kind of latency; of measurements and fields, one source or field may be meant."""

    kind: str
    key: str | None = None


@dataclass(frozen=True)
class Where:
    """Which samples are meant. Summaries know one of these at a time."""

    cpu: int | None = None
    comm: str | None = None


@dataclass(frozen=True)
class Variant:
    """Traces by their ids, or all that have these labels."""

    name: str
    traces: Sequence[str] = ()
    labels: Sequence[tuple[str, str]] = ()


MAX_WORDS = 40
# The same as where the page parts traces into variants.
_WORD_ENDS = re.compile(r"[-_\s]+|\.(?=[^\W\d_])")
_GROUPS: dict[str, SplitBy] = {one: one for one in SPLITS}
_GROUP_NAMES = f"{', '.join(SPLITS[:-1])} or {SPLITS[-1]}"


@dataclass(frozen=True)
class Stratum:
    """What samples are split by: a label of traces or a word of their names, or one of what summaries know.

    `name` is the label's; of words it is the number, the first one being 1.
    """

    by: Literal["label", "word"] | SplitBy
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Stratum:
        """From `label:NAME`, `word:NUMBER` or what sums are kept by.

        Raises: InvalidParameter for anything else.
        """
        by, _, name = text.partition(":")
        if by == "label" and name:
            return cls("label", name)
        if by == "word" and name.isdecimal() and 1 <= int(name) <= MAX_WORDS:
            return cls("word", str(int(name)))
        group = _GROUPS.get(text)
        if group is not None:
            return cls(group)
        message = f"{text[:50]!r} is not label:NAME, word:NUMBER, {_GROUP_NAMES}"
        raise InvalidParameter("strata", message, location="body")

    def __str__(self) -> str:
        return f"{self.by}:{self.name}" if self.name else self.by

    @property
    def group(self) -> GroupBy | None:
        """The rows of summaries that it splits into; None where whole traces are."""
        return None if self.by in ("label", "word") else _GROUPS[self.by]

    def word_of(self, trace_name: str) -> str | None:
        """The word of a trace's name. A version stays whole: `sleep-1s-6.12-rt.samples` is five words."""
        words = _WORD_ENDS.split(trace_name)
        return words[int(self.name) - 1] or None if int(self.name) <= len(words) else None


@dataclass(frozen=True)
class CompareRequest:
    """The first variant is the one that the others are compared with."""

    measure: Measure
    variants: Sequence[Variant]
    where: Where = field(default_factory=Where)
    strata: Sequence[Stratum] = ()

    def strata_group(self) -> GroupBy | None:
        """The rows of summaries that samples are split into; None where whole traces are.

        Raises: InvalidParameter where no rows are that way.
        """
        wanted = [one.group for one in self.strata if one.group is not None]
        if len(set(self.strata)) < len(self.strata):
            raise InvalidParameter("strata", "rows and columns are the same", location="body")
        filtered = self.group()[0]
        if wanted and len(wanted) + (filtered != "all") > 1:
            raise InvalidParameter(
                "strata",
                f"only one of {', '.join(SPLITS[:-1])} and {SPLITS[-1]} can be split by, and not beside "
                "cpu, comm, source or field: sums are kept by one at a time; the other has to be a label or "
                "a word of names",
                location="body",
            )
        return wanted[0] if wanted else None

    def group(self) -> tuple[GroupBy, str]:
        """The rows of summaries that hold the samples.

        Raises: InvalidParameter where no single row does.
        """
        wanted: list[tuple[GroupBy, str]] = []
        if self.where.cpu is not None:
            wanted.append(("cpu", str(self.where.cpu)))
        if self.where.comm is not None:
            wanted.append(("task", self.where.comm))
        if self.measure.key is not None:
            wanted.append(("key", self.measure.key))
        if len(wanted) > 1:
            raise InvalidParameter(
                "where",
                "only one of cpu, comm, source and field can be given: sums are kept by one at a time",
                location="body",
            )
        return wanted[0] if wanted else ("all", "")
