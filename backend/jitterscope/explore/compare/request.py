"""What is to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jitterscope.problems import InvalidParameter
from jitterscope.store.summaries import GroupBy


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


@dataclass(frozen=True)
class CompareRequest:
    """The first variant is the one that the others are compared with."""

    measure: Measure
    variants: Sequence[Variant]
    where: Where = field(default_factory=Where)

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
