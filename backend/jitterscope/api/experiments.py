"""Comparisons that were saved under a name, each with a permalink."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.cursors import decode_cursor, encode_cursor
from jitterscope.api.names import shown_name
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.compare import CompareBody
from jitterscope.schemas.experiments import (
    ExperimentAnswer,
    ExperimentItem,
    ExperimentListQuery,
    ExperimentPage,
    ExperimentPatch,
    NewExperiment,
)
from jitterscope.store.experiments import EXPERIMENTS, Position, experiments_page
from jitterscope.store.models import Experiment, JsonObject

router = APIRouter(tags=["experiments"])


@router.post("/experiments", status_code=201, responses=documented(409, 422, 503))
async def save_experiment(new: NewExperiment, services: ServicesOf, base_url: BaseUrl) -> ExperimentAnswer:
    """Save a comparison under a name. Nothing of its traces is copied."""
    columns: JsonObject = {
        "name": shown_name(new.name),
        "note": new.note,
        "comparison": _stored(new.comparison),
        "view": dict(new.view),
    }
    async with services.database.session() as session:
        return _answer(await EXPERIMENTS.create(session, columns, new.slug), base_url)


@router.get("/experiments", responses=documented(422, 503))
async def list_experiments(
    query: Annotated[ExperimentListQuery, Query()], services: ServicesOf, base_url: BaseUrl
) -> ExperimentPage:
    """Saved comparisons, the last changed first."""
    after = None if query.cursor is None else _position(query.cursor)
    async with services.database.session() as session:
        page, following = await experiments_page(session, query.q, query.limit, after)
    return ExperimentPage(
        items=[ExperimentItem.model_validate(_fields(row, base_url)) for row in page],
        next=None if following is None else encode_cursor([following[0].isoformat(), following[1]]),
    )


@router.get("/experiments/{slug}", responses=documented(404, 503))
async def get_experiment(slug: str, services: ServicesOf, base_url: BaseUrl) -> ExperimentAnswer:
    """One saved comparison; send its `comparison` to `POST /compare` for the answer."""
    async with services.database.session() as session:
        return _answer(await EXPERIMENTS.find(session, slug), base_url)


@router.patch("/experiments/{slug}", responses=documented(404, 422, 503))
async def change_experiment(
    slug: str, patch: ExperimentPatch, services: ServicesOf, base_url: BaseUrl
) -> ExperimentAnswer:
    """Change the name, the note or what is compared. What is null stays."""
    changes: JsonObject = {}
    if patch.name is not None:
        changes["name"] = shown_name(patch.name)
    if patch.note is not None:
        changes["note"] = patch.note
    if patch.comparison is not None:
        changes["comparison"] = _stored(patch.comparison)
    if patch.view is not None:
        changes["view"] = dict(patch.view)
    async with services.database.session() as session:
        return _answer(await EXPERIMENTS.change(session, slug, changes), base_url)


@router.delete("/experiments/{slug}", status_code=204, responses=documented(404, 503))
async def delete_experiment(slug: str, services: ServicesOf) -> Response:
    """Delete a saved comparison; its traces stay."""
    async with services.database.session() as session:
        await EXPERIMENTS.delete(session, slug)
    return Response(status_code=204)


def _stored(comparison: CompareBody) -> JsonObject:
    return comparison.model_dump(mode="json", exclude_none=True, exclude_defaults=True)


def _answer(row: Experiment, base_url: str) -> ExperimentAnswer:
    return ExperimentAnswer.model_validate(
        _fields(row, base_url) | {"comparison": row.comparison, "view": row.view}
    )


def _fields(row: Experiment, base_url: str) -> JsonObject:
    comparison = CompareBody.model_validate(row.comparison)
    is_listed = all(variant.traces for variant in comparison.variants)
    return {
        "slug": row.slug,
        "name": row.name,
        "note": row.note,
        "measure": comparison.measure,
        "variants": [variant.name for variant in comparison.variants],
        "trace_count": sum(len(variant.traces) for variant in comparison.variants) if is_listed else None,
        "created_at": row.created_at,
        "changed_at": row.changed_at,
        "url": f"{base_url}/experiments/{row.slug}",
    }


def _position(cursor: str) -> Position:
    changed_at, slug = decode_cursor(cursor, 2)
    try:
        return datetime.fromisoformat(str(changed_at)), str(slug)
    except ValueError as error:
        raise InvalidParameter("cursor", "is not one that this call has answered") from error
