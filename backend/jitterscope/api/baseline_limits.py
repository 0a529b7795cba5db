"""The limits that baselines set to checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from jitterscope.api.baselines import variant_of
from jitterscope.api.compare import where_of_body
from jitterscope.api.compare_url import compare_page_url
from jitterscope.explore.baselines import Limit, Undecidable, Wanted, find_limit
from jitterscope.explore.compare import CompareRequest, Measure, Variant
from jitterscope.problems import InvalidParameter, NotFound
from jitterscope.schemas.checks import BASELINE_VALUE, Check, CheckBaseline, CheckOutcome
from jitterscope.schemas.compare import CompareWhere
from jitterscope.store.baselines import BASELINES
from jitterscope.store.database import Database
from jitterscope.store.models import Baseline

# The page reads names of at most 200 letters, each of which may take nine signs in an address.
_NAME_IN_ADDRESS = 60


@dataclass(frozen=True)
class CheckLimit:
    """`value` is None for a check without a baseline; `reason` says why a baseline sets no limit."""

    value: int | None = None
    baseline: CheckBaseline | None = None
    limit: Limit | None = None
    reason: str | None = None

    def apply(self, check: Check, outcome: CheckOutcome) -> CheckOutcome:
        """The outcome with the baseline, and with both numbers where the limit is broken."""
        if self.baseline is None or self.limit is None:
            return outcome
        changed: dict[str, object] = {"baseline": self.baseline}
        if outcome.outcome == "failed" and outcome.actual_ns is not None:
            limit, at = self.limit, " at 95 %" if check.statistical else ""
            allowed = (
                f", which allows {limit.text(limit.limit_ns)}" if limit.limit_ns != limit.value_ns else ""
            )
            changed["reason"] = (
                f"{check.stat} {check.op} {check.value}{at} was asked for: the baseline "
                f"{self.baseline.name!r} ({limit.traces:,} traces) has "
                f"{limit.text(limit.value_ns)}{allowed}, and it is {limit.text(outcome.actual_ns)}"
            )
        return outcome.model_copy(update=changed)


async def limits_of(
    database: Database, trace_id: str, checks: Sequence[Check], base_url: str
) -> list[CheckLimit]:
    """One for each check.

    Raises: NotFound for the trace; InvalidParameter, which names the number of the check.
    """
    if all(check.baseline is None for check in checks):
        return [CheckLimit() for _ in checks]
    return [await _limit(database, trace_id, number, check, base_url) for number, check in enumerate(checks)]


async def _limit(database: Database, trace_id: str, number: int, check: Check, base_url: str) -> CheckLimit:
    if check.baseline is None:
        return CheckLimit()
    try:
        async with database.session() as session:
            row = await BASELINES.find(session, check.baseline)
    except NotFound:
        return _none(check.baseline, check.baseline, "there is none of this name; it may have been deleted")
    where = CompareWhere.model_validate(row.where)
    of_check = CompareWhere(
        cpu=check.where.cpu, comm=check.where.comm, priority_class=check.where.priority_class
    )
    if not where.conditions() <= of_check.conditions():
        return _none(row.slug, row.name, f"it keeps to {_kept(where)}, and the check does not")
    measure = Measure(check.kind, check.field if check.field is not None else check.where.key)
    request = CompareRequest(measure, [variant_of(row)], where_of_body(of_check))
    try:
        limit = await find_limit(database, trace_id, request, _wanted(check))
    except Undecidable as reason:
        return _none(row.slug, row.name, str(reason))
    except InvalidParameter as error:
        raise InvalidParameter(f"{number}.{error.parameter}", error.message, location="body") from error
    baseline = CheckBaseline(
        slug=row.slug,
        name=row.name,
        traces=limit.traces,
        value_ns=limit.value_ns,
        limit_ns=limit.limit_ns,
        url=_compare_url(base_url, trace_id, row, request),
    )
    return CheckLimit(limit.limit_ns, baseline, limit)


def _wanted(check: Check) -> Wanted:
    found = BASELINE_VALUE.fullmatch(str(check.value))
    factor = Fraction((found.group(1) if found else None) or 1)
    return Wanted(
        stat=f"{check.stat}_ns",
        is_upper=check.op in {"<", "<="},
        is_strict=check.op in {"<", ">"},
        factor=None if check.statistical else factor,
        min_count=check.min_count,
        min_traces=check.min_traces,
    )


def _none(slug: str, name: str, reason: str) -> CheckLimit:
    baseline = CheckBaseline(slug=slug, name=name, traces=None, value_ns=None, limit_ns=None, url=None)
    return CheckLimit(baseline=baseline, reason=f"the baseline {name!r} sets no limit: {reason}")


def _kept(where: CompareWhere) -> str:
    return ", ".join(f"{name}={value}" for name, value in where.model_dump(exclude_none=True).items())


def _compare_url(base_url: str, trace_id: str, row: Baseline, request: CompareRequest) -> str:
    """The page that compares the trace with the baseline."""
    [variant] = request.variants
    against = replace(variant, name=row.name[:_NAME_IN_ADDRESS])
    sides = [against, Variant("checked", [trace_id])]
    return compare_page_url(base_url, request.measure, sides, request.where)
