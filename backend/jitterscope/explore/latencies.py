"""Latencies: the list, statistics, over time, and what the whole trace has of each kind."""

import hashlib

from jitterscope import _ftrace
from jitterscope.explore.latency_scan import NO_ANSWER, Purpose, latency_answer, with_series
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.store.database import Database


async def latencies(database: Database, trace_id: str, parameters: Parameters, url: str) -> bytes:
    """JSON of `schemas.latencies.LatencyPage`. The worst of each kind are at hand without their blocks."""
    async with ask(database, trace_id, parameters, url) as asked:
        question, blocks = await with_series(asked), asked.blocks
        if question.event_types is not None:
            return await _kept(question, "list")
        worst = (await blocks.whole("latency_case"), await blocks.whole("latency_kind"))
        answer = await compute(_ftrace.worst_latencies, question.request, *worst, *await names_of(question))
        return answer if answer != NO_ANSWER else await latency_answer(question, "list")


async def latency_kinds(database: Database, trace_id: str, url: str) -> bytes:
    """JSON of `schemas.latencies.LatencyKinds`."""
    async with ask(database, trace_id, {}, url) as question:
        blocks = question.blocks
        tables = (
            await blocks.whole("latency_kind"),
            await blocks.whole("latency_incomplete"),
            await blocks.whole("latency_case"),
            await blocks.whole("event_type"),
        )
        return await compute(_ftrace.latency_kinds, question.request, *tables, *await names_of(question))


async def latency_stats(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.latency_stats.LatencyStats`."""
    async with ask(database, trace_id, parameters) as question:
        return await _kept(await with_series(question), "stats")


async def latency_series(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.latency_stats.LatencySeries`."""
    async with ask(database, trace_id, parameters) as question:
        return await _kept(await with_series(question), "series")


async def _kept(question: Question, purpose: Purpose) -> bytes:
    """An answer that takes every sample, and is asked for again and again while somebody looks around."""
    digest = hashlib.sha256(question.request.encode()).hexdigest()
    part = f"latency {purpose} {digest}"
    return await question.blocks.cache.get(part, lambda: latency_answer(question, purpose))


async def names_of(question: Question) -> tuple[bytes, bytes, str]:
    """What samples are named by: tasks, symbols, and first sentences of explanations."""
    blocks = question.blocks
    return await blocks.whole("task"), await blocks.whole("symbol"), await blocks.explained()
