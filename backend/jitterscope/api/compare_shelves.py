"""Shelves of counts of work per quantum, for the variants of an experiment."""

from fastapi import APIRouter

from jitterscope.api.compare import request_of
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.compare.shelf_ticks import TickShares
from jitterscope.explore.compare.shelves import JudgedShelf, shelves
from jitterscope.explore.compare.shelves import VariantShelves as Found
from jitterscope.explore.compare.suspects import Suspect
from jitterscope.schemas.compare import CompareBody
from jitterscope.schemas.shelves import QuantumShelf, ShelfCause, ShelfTick, ShelvesAnswer, VariantShelves
from jitterscope.store.database import Database

router = APIRouter(tags=["experiments"])


@router.post("/compare/shelves", responses=documented(404, 422, 503))
async def compare_shelves(body: CompareBody, services: ServicesOf) -> ShelvesAnswer:
    """The plateaus of sorted counts of work per quantum (FTQ): where they are, and which cause makes each."""
    return await compared_shelves(services.database, body)


async def compared_shelves(database: Database, body: CompareBody) -> ShelvesAnswer:
    """The same for other routers. Raises: NotFound, InvalidParameter."""
    found = await shelves(database, request_of(body))
    return ShelvesAnswer(
        top=found.top,
        top_variant=found.top_variant,
        notes=list(found.notes),
        sentence=found.sentence,
        variants=[_variant(one) for one in found.variants],
    )


def _variant(one: Found) -> VariantShelves:
    return VariantShelves(
        name=one.name,
        quanta=one.quanta,
        quantum_ns=one.quantum_ns,
        lost_share=one.lost,
        recorded_share=one.recorded,
        summary=one.summary,
        shelves=[_shelf(shelf) for shelf in one.shelves],
        tick=None if one.tick is None else _tick(one.tick),
    )


def _shelf(one: JudgedShelf) -> QuantumShelf:
    return QuantumShelf(
        low=one.shelf.low,
        high=one.shelf.high,
        quanta=one.shelf.count,
        share=one.share,
        at_most_share=one.at_most,
        below=one.distance,
        below_ns=one.distance_ns,
        state=one.state,
        causes=[[_cause(cause) for cause in together] for together in one.reasons],
        summary=one.summary,
    )


def _cause(one: Suspect) -> ShelfCause:
    return ShelfCause(
        cause=one.cause,
        what=one.name,
        called=one.called(),
        per_s=one.per_s,
        mean_ns=one.mean_ns,
        usual_ns=one.usual_ns,
    )


def _tick(one: TickShares) -> ShelfTick:
    return ShelfTick(
        cost_ns=one.cost_ns,
        per_s=one.per_s,
        share=one.share,
        trace_cost_ns=one.by_trace.mean_ns if one.by_trace else None,
        trace_share=one.by_trace.share if one.by_trace else None,
        own_cost_ns=one.own.mean_ns,
        own_share=one.own.share,
        product=one.product(),
        trace_product=one.by_trace.product() if one.by_trace else None,
        why=list(one.why),
    )
