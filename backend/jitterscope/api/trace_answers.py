"""Rows of traces made into answers."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.api.base_url import trace_url
from jitterscope.api.catalog_texts import diagnostic_text
from jitterscope.schemas.trace import (
    TraceAnswer,
    TraceBuffer,
    TraceError,
    TraceRuler,
    TraceWarning,
    TraceWorst,
)
from jitterscope.store.catalog_page import TraceVersion, rows_of
from jitterscope.store.models import JsonObject, Trace, TraceStatus
from jitterscope.store.part_cache import PartCache
from jitterscope.store.traces import details_of
from jitterscope.store.worst_case import WorstCase, worst_cases_of

_COPIED = (
    "id",
    "name",
    "filename",
    "status",
    "stage",
    "progress",
    "format",
    "tracer",
    "kernel",
    "clock",
    "time_unit",
    "time_origin",
    "cpus",
    "cpu_count",
    "duration_ns",
    "event_count",
    "call_count",
    "slice_count",
    "lost_events",
    "size_bytes",
    "expanded_bytes",
    "used_bytes",
    "skipped_bytes",
    "parser_version",
    "sha256",
    "created_at",
    "ready_at",
)
_COPIED_OF_WARNINGS = ("code", "severity", "count", "first_line", "first_byte_offset", "sample")


async def trace_answers(session: AsyncSession, rows: Sequence[Trace], base_url: str) -> list[TraceAnswer]:
    """The traces with their labels, warnings and losses, in the same order."""
    if not rows:
        return []
    keys = [row.key for row in rows]
    details = await details_of(session, keys)
    worst = await worst_cases_of(session, keys)
    return [
        TraceAnswer(
            **{name: getattr(row, name) for name in _COPIED},
            labels=details[row.key].labels,
            origin_ns=None if row.origin_ns is None else str(row.origin_ns),
            losses_total=details[row.key].loss_count,
            is_measurement=details[row.key].is_measurement,
            buffers=[TraceBuffer.model_validate(buffer) for buffer in row.buffers or []],
            facts=row.facts or {},
            missing=details[row.key].missing,
            warnings=[_warning(found) for found in details[row.key].diagnostics],
            error=None if row.error is None else _error(row.error),
            worst=_worst(worst.get(row.key)),
            url=trace_url(base_url, row.id),
        )
        for row in rows
    ]


async def trace_answer(session: AsyncSession, row: Trace, base_url: str) -> TraceAnswer:
    return (await trace_answers(session, [row], base_url))[0]


async def trace_texts(
    session: AsyncSession, kept: PartCache, versions: Sequence[TraceVersion], base_url: str
) -> list[bytes]:
    """The JSON of each trace's answer, as new as its version or newer, without what was deleted since.

    Answers of traces in their final state are kept. Whatever changes such an answer changes the trace's row,
    too: even its labels have their text there.
    """
    texts = {version: kept.find(version, base_url) for version in versions}
    changed = {version.key: version for version, found in texts.items() if found is None}
    rows = await rows_of(session, list(changed)) if changed else []
    for row, answer in zip(rows, await trace_answers(session, rows, base_url), strict=True):
        version = changed[row.key]
        texts[version] = text = answer.model_dump_json(by_alias=True).encode()
        # If it has changed since, it is kept for a version that nobody asks for again.
        if TraceStatus(row.status).is_final:
            kept.keep(version, base_url, text)
    return [text for text in map(texts.get, versions) if text is not None]


def _warning(found: JsonObject) -> TraceWarning:
    sentence, remedy = diagnostic_text(found["code"])
    return TraceWarning(
        **{name: found[name] for name in _COPIED_OF_WARNINGS},
        sentence=sentence,
        remedy=remedy,
    )


def _worst(found: WorstCase | None) -> TraceWorst | None:
    if found is None:
        return None
    return TraceWorst(
        id=found.id,
        kind=found.kind,
        duration_ns=found.duration_ns,
        cpu=found.cpu,
        headline=found.headline,
        ruler=None if found.ruler is None else TraceRuler.model_validate(found.ruler),
    )


def _error(error: JsonObject) -> TraceError:
    place = error.get("place") or {}
    return TraceError.model_validate(
        {
            "code": error["code"],
            "class": error["class"],
            "sentence": error["sentence"],
            "line": place.get("line"),
            "byte_offset": place.get("byte_offset"),
            "excerpt": error.get("excerpt") or "",
            "remedy": error.get("remedy") or diagnostic_text(error["code"])[1],
        }
    )
