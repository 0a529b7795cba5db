"""Latencies: the list, statistics, over time, and what the whole trace has of each kind."""

import hashlib
from collections.abc import Awaitable, Callable

from pydantic import BaseModel, TypeAdapter

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.store.blocks import BlockId
from jitterscope.store.database import Database

_NO_ANSWER = b"null"


class Step(BaseModel):
    """Blocks to fetch, and the smallest key of the order among the samples that are not in them."""

    samples: list[BlockId]
    slices: list[BlockId]
    rest: int | None


_STEPS = TypeAdapter(list[Step])


async def latencies(database: Database, trace_id: str, parameters: Parameters, url: str) -> bytes:
    """JSON of `schemas.latencies.LatencyPage`. The worst of each kind are at hand without their blocks."""
    async with ask(database, trace_id, parameters, url) as question:
        blocks = question.blocks
        names = await names_of(question)
        worst = (await blocks.whole("latency_case"), await blocks.whole("latency_kind"))
        answer = await compute(_ftrace.worst_latencies, question.request, *worst, *names)
        return answer if answer != _NO_ANSWER else await _from_blocks(question, names)


async def _from_blocks(question: Question, names: tuple[bytes, bytes, str]) -> bytes:
    """The page, as soon as the blocks that are fetched are known to hold all of it."""
    blocks = question.blocks
    plan = _ftrace.plan_latencies(question.request, await blocks.latency_headers())
    steps = _STEPS.validate_json(plan) or [Step(samples=[], slices=[], rest=None)]
    samples, slices = [b""], [b""]
    answer = b""
    for step in steps:
        samples.append(await blocks.chosen("sample_block", step.samples))
        slices.append(await blocks.chosen("slice_block", step.slices))
        answer = await compute(
            _ftrace.latencies, question.request, samples, slices, step.rest, step is steps[-1], *names
        )
        if answer != _NO_ANSWER:
            break
    return answer


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

        async def read() -> bytes:
            samples = await samples_of(question)
            incomplete = await question.blocks.whole("latency_incomplete")
            names = await names_of(question)
            return await compute(_ftrace.latency_stats, question.request, *samples, incomplete, *names)

        return await _kept(question, "latency stats", read)


async def latency_series(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.latency_stats.LatencySeries`."""
    async with ask(database, trace_id, parameters) as question:

        async def read() -> bytes:
            samples = await samples_of(question)
            names = await names_of(question)
            return await compute(_ftrace.latency_series, question.request, *samples, *names)

        return await _kept(question, "latency series", read)


async def _kept(question: Question, name: str, read: Callable[[], Awaitable[bytes]]) -> bytes:
    """An answer that takes every sample, and is asked for again and again while somebody looks around."""
    digest = hashlib.sha256(question.request.encode()).hexdigest()
    return await question.blocks.cache.get(question.blocks.trace_key, f"{name} {digest}", read)


async def samples_of(question: Question) -> tuple[bytes, bytes]:
    """The blocks that hold the samples that are asked for: of samples, and of slices that are samples."""
    blocks = question.blocks
    plan = Step.model_validate_json(_ftrace.plan_samples(question.request, await blocks.latency_headers()))
    return await blocks.chosen("sample_block", plan.samples), await blocks.chosen("slice_block", plan.slices)


async def names_of(question: Question) -> tuple[bytes, bytes, str]:
    """What samples are named by: tasks, symbols, and first sentences of explanations."""
    blocks = question.blocks
    return await blocks.whole("task"), await blocks.whole("symbol"), await blocks.explained()
