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
    """Which samples are meant; `priority_class` is a list as questions of the core take it."""

    cpu: int | None = None
    comm: str | None = None
    priority_class: str | None = None

    def classes(self) -> list[str] | None:
        """The classes one by one; None where all are meant."""
        return None if self.priority_class is None else self.priority_class.split(",")


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
_WHOLE: tuple[GroupBy, str] = ("all", "")
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
        if wanted and len(wanted) + (self.group() != _WHOLE) > 1:
            raise InvalidParameter(
                "strata",
                f"only one of {', '.join(SPLITS[:-1])} and {SPLITS[-1]} can be split by, and not beside "
                "cpu, comm, priority_class, source or field: sums are kept by one at a time; the other has "
                "to be a label or a word of names",
                location="body",
            )
        return wanted[0] if wanted else None

    def group(self) -> tuple[GroupBy, str] | None:
        """The rows of summaries that hold the samples; None where they have to be read themselves."""
        wanted: list[tuple[GroupBy, str]] = []
        if self.where.cpu is not None:
            wanted.append(("cpu", str(self.where.cpu)))
        if self.where.comm is not None:
            wanted.append(("task", self.where.comm))
        if self.measure.key is not None:
            wanted.append(("key", self.measure.key))
        if len(wanted) > 1 or self.where.priority_class is not None:
            return None
        return wanted[0] if wanted else _WHOLE

    def filters(self) -> dict[str, str]:
        """The same samples as questions of the core name them."""
        is_field = self.measure.kind == "field"
        named = {
            "kind": self.measure.kind,
            "field" if is_field else "key": self.measure.key,
            "cpu": None if self.where.cpu is None else str(self.where.cpu),
            "comm": self.where.comm,
            "priority_class": self.where.priority_class,
        }
        return {name: value for name, value in named.items() if value is not None}
