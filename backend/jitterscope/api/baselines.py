"""Baselines: saved variants that others are compared with."""

from fastapi import APIRouter, Response
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.api.names import shown_name
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.compare import Variant
from jitterscope.explore.compare.members import missing_ids, select_variants
from jitterscope.schemas.baselines import (
    BaselineAnswer,
    BaselineItem,
    BaselineList,
    BaselinePatch,
    BaselineTraces,
    NewBaseline,
)
from jitterscope.store.baselines import BASELINES, all_baselines
from jitterscope.store.models import Baseline, JsonObject

router = APIRouter(tags=["experiments"])


@router.post("/baselines", status_code=201, responses=documented(409, 422, 503))
async def save_baseline(new: NewBaseline, services: ServicesOf) -> BaselineAnswer:
    """Save traces, or all that have some labels, as a baseline for others."""
    columns: JsonObject = {
        "name": shown_name(new.name),
        "note": new.note,
        "variant": _stored(new.variant),
        "where": new.where.model_dump(exclude_none=True),
    }
    async with services.database.session() as session:
        return await _answer(session, await BASELINES.create(session, columns, new.slug))


@router.get("/baselines", responses=documented(503))
async def list_baselines(services: ServicesOf) -> BaselineList:
    """All baselines, the last changed first."""
    async with services.database.session() as session:
        rows = await all_baselines(session)
    return BaselineList(items=[BaselineItem.model_validate(row) for row in rows])


@router.get("/baselines/{slug}", responses=documented(404, 503))
async def get_baseline(slug: str, services: ServicesOf) -> BaselineAnswer:
    """One baseline, with how many of its traces are there."""
    async with services.database.session() as session:
        return await _answer(session, await BASELINES.find(session, slug))


@router.patch("/baselines/{slug}", responses=documented(404, 422, 503))
async def change_baseline(slug: str, patch: BaselinePatch, services: ServicesOf) -> BaselineAnswer:
    """Change the name, the note, the traces or which samples count. What is null stays."""
    changes: JsonObject = {}
    if patch.name is not None:
        changes["name"] = shown_name(patch.name)
    if patch.note is not None:
        changes["note"] = patch.note
    if patch.variant is not None:
        changes["variant"] = _stored(patch.variant)
    if patch.where is not None:
        changes["where"] = patch.where.model_dump(exclude_none=True)
    async with services.database.session() as session:
        return await _answer(session, await BASELINES.change(session, slug, changes))


@router.delete("/baselines/{slug}", status_code=204, responses=documented(404, 503))
async def delete_baseline(slug: str, services: ServicesOf) -> Response:
    """Delete a baseline; its traces stay. A check that names it can no longer be decided."""
    async with services.database.session() as session:
        await BASELINES.delete(session, slug)
    return Response(status_code=204)


def variant_of(row: Baseline) -> Variant:
    """The traces of a baseline under its name."""
    found = BaselineTraces.model_validate(row.variant)
    return Variant(row.name, found.traces, list(found.labels.items()))


async def _answer(session: AsyncSession, row: Baseline) -> BaselineAnswer:
    variant = variant_of(row)
    [traces] = await select_variants(session, [variant])
    item = BaselineItem.model_validate(row).model_dump()
    return BaselineAnswer(**item, trace_count=len(traces), missing=missing_ids(variant, traces))


def _stored(traces: BaselineTraces) -> JsonObject:
    return traces.model_dump(exclude_defaults=True)
