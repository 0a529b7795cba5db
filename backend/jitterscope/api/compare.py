"""Experiments: many traces, one answer."""

from collections.abc import Sequence
from urllib.parse import urlencode

from pydantic import ValidationError

from jitterscope.api.base_url import trace_url
from jitterscope.api.strata import strata_answer
from jitterscope.explore.compare import CompareRequest, Comparison, Measure, Stratum, Variant, Where, compare
from jitterscope.explore.compare.card import QUANTILES, Card
from jitterscope.explore.compare.causes import Cause
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.compare import (
    CompareAnswer,
    CompareBody,
    CompareCause,
    CompareClassCause,
    CompareClasses,
    CompareDifference,
    ComparedVariant,
    CompareIntervals,
    CompareMeasure,
    CompareQuery,
    CompareTick,
    CompareVariant,
    CompareWhere,
)
from jitterscope.store.database import Database

_STATS = ("mean_ns", *QUANTILES, "max_ns")


def body_of(query: CompareQuery) -> CompareBody:
    """What a query string asks for. Raises: InvalidParameter."""
    try:
        return CompareBody(
            measure=CompareMeasure(kind=query.kind, field=query.field, source=query.source),
            variants=[_variant(text) for text in query.variant],
            where=CompareWhere(cpu=query.cpu, comm=query.comm, priority_class=query.priority_class),
            strata=query.strata,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidParameter(".".join(map(str, first["loc"])) or "kind", first["msg"]) from error


def _variant(text: str) -> CompareVariant:
    """From `name=id,id` or `name=label:value,label:value`."""
    name, equals, members = text.partition("=")
    if not equals:
        raise InvalidParameter("variant", f"{text[:50]!r} is not name=id,… or name=label:value,…")
    parts = [part for part in members.split(",") if part]
    if any(":" in part for part in parts):
        labels = dict(part.partition(":")[::2] for part in parts)
        return CompareVariant(name=name, labels=labels)
    return CompareVariant(name=name, traces=parts)


def variants_of(listed: Sequence[CompareVariant]) -> list[Variant]:
    """The variants of a body."""
    return [Variant(variant.name, variant.traces, list(variant.labels.items())) for variant in listed]


def measure_of_body(measure: CompareMeasure) -> Measure:
    """What a body measures."""
    kind = measure.kind or ("field" if measure.field is not None else "measured")
    return Measure(kind, measure.field if measure.field is not None else measure.source)


def where_of_body(where: CompareWhere) -> Where:
    """Which samples a body means."""
    return Where(where.cpu, where.comm, where.priority_class)


def request_of(body: CompareBody) -> CompareRequest:
    """What a body asks for."""
    return CompareRequest(
        measure=measure_of_body(body.measure),
        variants=variants_of(body.variants),
        where=where_of_body(body.where),
        strata=[Stratum.parse(text) for text in body.strata],
    )


async def compared(database: Database, body: CompareBody, base_url: str) -> CompareAnswer:
    """How variants differ from the first. Raises: NotFound, InvalidParameter."""
    request = request_of(body)
    kind = request.measure.kind
    found = await compare(database, request)
    sentences = [against.sentence for against in found.against]
    return CompareAnswer(
        unit=found.unit,
        variants=[
            _card(members.variant.name, len(members.members), card, kind, base_url)
            for members, card in zip(found.members, found.cards, strict=True)
        ],
        sentence=sentences[-1] if sentences else "Nothing to compare with: add a second variant.",
        sentences=sentences,
        differences=_differences(found),
        causes=_causes(found),
        classes=_classes(found),
        ticks=_ticks(found),
        strata=strata_answer(found.strata, lambda card: longest_url(card, kind, base_url)),
        guard=list(found.guard),
        notes=list(found.notes),
        url=f"{base_url}/api/v1/compare?{_query(body)}",
    )


def _card(name: str, traces: int, card: Card, kind: str, base_url: str) -> ComparedVariant:
    numbers = {stat: card.numbers.get(stat) for stat in ("min_ns", "stdev_ns", *_STATS)}
    intervals = {stat: card.intervals.get(stat) for stat in ("mean_ns", *QUANTILES)}
    return ComparedVariant(
        name=name,
        traces=traces,
        samples=card.samples,
        max_url=longest_url(card, kind, base_url),
        intervals=CompareIntervals(**intervals),
        drawn=card.drawn,
        exact=card.is_exact,
        **numbers,
    )


def longest_url(card: Card, kind: str, base_url: str) -> str | None:
    """The longest of those that its owner began at once has no number in its id."""
    if card.longest is None:
        return None
    trace, summary = card.longest.trace, card.longest.summary
    field = f".{summary.max_key}" if kind == "field" and summary.max_key is not None else ""
    start_ns = (trace.origin_ns or 0) + summary.max_start_ns
    return f"{trace_url(base_url, trace.id)}/cases/{kind}{field}-{summary.max_owner}@{start_ns}"


def _differences(found: Comparison) -> list[CompareDifference]:
    first = found.cards[0]
    listed = []
    for members, against in zip(found.members[1:], found.against, strict=True):
        for stat in _STATS:
            before, after = first.numbers.get(stat), against.card.numbers.get(stat)
            if before is None or after is None:
                continue
            sure = against.differences.get(stat)
            listed.append(
                CompareDifference.model_validate(
                    {
                        "variant": members.variant.name,
                        "stat": stat,
                        "from": before,
                        "to": after,
                        "delta_ns": after - before,
                        "share": (after - before) / before if before else None,
                        "interval": sure.interval if sure else None,
                        "is_real": sure.is_real if sure else None,
                    }
                )
            )
    return listed


def _causes(found: Comparison) -> list[CompareCause]:
    return [
        CompareCause.model_validate({"cpu": cause.cpu} | _change(found, members.variant.name, cause))
        for members, against in zip(found.members[1:], found.against, strict=True)
        for cause in against.causes
    ]


def _classes(found: Comparison) -> CompareClasses | None:
    classes = found.classes
    if classes is None:
        return None
    return CompareClasses(
        isolated=list(classes.cpus["isolated"]),
        housekeeping=list(classes.cpus["housekeeping"]),
        causes=[
            CompareClassCause.model_validate(
                {"cpu_class": name} | _change(found, members.variant.name, cause)
            )
            for members, causes in zip(found.members[1:], classes.causes, strict=True)
            for name, cause in causes
        ],
    )


def _change(found: Comparison, variant: str, cause: Cause) -> dict[str, object]:
    has_seconds = found.unit != "ticks"
    return {
        "variant": variant,
        "cause": cause.cause,
        "what": cause.name,
        "from_per_s": cause.before.per_s if has_seconds else None,
        "to_per_s": cause.after.per_s if has_seconds else None,
        "from_share": cause.before.share,
        "to_share": cause.after.share,
        "from_mean_ns": cause.before.mean_ns,
        "to_mean_ns": cause.after.mean_ns,
        "from_max_ns": cause.before.max_ns,
        "to_max_ns": cause.after.max_ns,
        "interval": cause.interval,
        "is_real": cause.is_real,
    }


def _ticks(found: Comparison) -> list[CompareTick]:
    return [
        CompareTick(
            variant=members.variant.name,
            cpu=tick.cpu,
            count=tick.count,
            mean_ns=tick.mean_ns,
            max_ns=tick.max_ns,
            per_s=tick.per_s,
            per_busy_s=tick.per_busy_s,
            share=tick.share,
            handler_known=tick.is_handler_known,
            product=tick.product(),
        )
        for members, ticks in zip(found.members, found.ticks, strict=True)
        for tick in ticks
    ]


def _query(body: CompareBody) -> str:
    measure = body.measure.model_dump(exclude_none=True)
    where = body.where.model_dump(exclude_none=True)
    variants = []
    for variant in body.variants:
        labels = [f"{name}:{value}" for name, value in variant.labels.items()]
        variants.append(("variant", f"{variant.name}={','.join(labels or variant.traces)}"))
    strata = [("strata", text) for text in body.strata]
    return urlencode([*measure.items(), *where.items(), *variants, *strata])
