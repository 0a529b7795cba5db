"""What the page of a comparison needs beside the numbers: what can be compared, and the curves."""

from collections.abc import Sequence

from fastapi import APIRouter

from jitterscope.api.compare import request_of, variants_of
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.compare import Measures, distribution, measures
from jitterscope.explore.compare.distribution import Spread
from jitterscope.schemas.compare import (
    CompareBody,
    DistributionAnswer,
    MeasuresAnswer,
    MeasuresBody,
    OfferedMeasure,
    OfferedTask,
    SelectedTrace,
    SelectedVariant,
    VariantSpread,
)
from jitterscope.schemas.latencies import HistogramBin
from jitterscope.schemas.latency_stats import Shelves
from jitterscope.store.database import Database

router = APIRouter(tags=["experiments"])


@router.post("/compare/measures", responses=documented(422, 503))
async def list_measures(body: MeasuresBody, services: ServicesOf) -> MeasuresAnswer:
    """The traces of each variant, and the kinds, sources and fields that can be compared."""
    return _offered(await measures(services.database, variants_of(body.variants)))


@router.post("/compare/distribution", responses=documented(404, 422, 503))
async def compare_distributions(body: CompareBody, services: ServicesOf) -> DistributionAnswer:
    """Each variant's samples on one scale: bars, and the sorted samples thinned to what the eye can tell."""
    return await compared_distribution(services.database, body)


async def compared_distribution(database: Database, body: CompareBody) -> DistributionAnswer:
    """The same for other routers. Raises: NotFound, InvalidParameter."""
    found = await distribution(database, request_of(body))
    return DistributionAnswer(
        unit=found.unit,
        exact=found.is_exact,
        bars="equal" if found.has_equal_bars else "octaves",
        variants=[_spread(one, found.edges) for one in found.spreads],
    )


def _offered(found: Measures) -> MeasuresAnswer:
    return MeasuresAnswer(
        variants=[
            SelectedVariant(
                name=variant.name,
                traces=[
                    SelectedTrace(id=one.trace.id, name=one.trace.name, labels=one.labels) for one in selected
                ],
                missing=list(missing),
            )
            for (variant, selected), missing in zip(found.variants, found.missing, strict=True)
        ],
        tasks=[
            OfferedTask.model_validate(
                {"comm": one.comm, "priority_class": one.priority_class, "traces": one.traces}
            )
            for one in found.tasks
        ],
        measures=[
            OfferedMeasure.model_validate(
                {
                    "kind": one.kind,
                    "key": one.key,
                    "variants": one.variants,
                    "traces": one.traces,
                    "samples": one.samples,
                    "lateness": one.lateness,
                    "splits": list(one.splits),
                    "measured_class": one.measured_class,
                }
            )
            for one in found.offered
        ],
    )


def _spread(one: Spread, edges: Sequence[int]) -> VariantSpread:
    bars = zip(edges, edges[1:], one.bars, strict=False)
    return VariantSpread(
        name=one.name,
        count=one.count,
        min_ns=one.min_ns,
        max_ns=one.max_ns,
        histogram=[HistogramBin(low_ns=low, high_ns=high, count=count) for low, high, count in bars],
        shelves=Shelves(rank=list(one.ranks), duration_ns=list(one.durations_ns)),
        **one.tail,
    )
