"""Checks of latencies against limits."""

from collections.abc import Sequence

from jitterscope import _ftrace
from jitterscope.explore.latencies import names_of, samples_of
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.problems import InvalidParameter
from jitterscope.store.database import Database


async def latency_checks(
    database: Database, trace_id: str, checks: Sequence[Parameters], url: str
) -> list[bytes]:
    """JSON of `schemas.checks.CheckOutcome` for each check, whose filters stand beside its other parameters.

    Raises: InvalidParameter, which names the number of the check, too; NotFound, TraceNotReady, TraceFailed.
    """
    found: dict[int, bytes] = {}
    read = _Samples()
    # One kind after the other, so that its samples are fetched once.
    for number in sorted(range(len(checks)), key=lambda number: str(checks[number]["kind"])):
        try:
            async with ask(database, trace_id, checks[number], url) as question:
                found[number] = await _outcome(question, await read.of(question, str(checks[number]["kind"])))
        except InvalidParameter as error:
            raise InvalidParameter(
                f"{number}.{error.parameter}", error.message, location="body", code=error.code
            ) from error
    return [found[number] for number in range(len(checks))]


async def _outcome(question: Question, samples: tuple[bytes, bytes]) -> bytes:
    blocks = question.blocks
    tables = (await blocks.whole("latency_incomplete"), await blocks.whole("event_type"))
    return await compute(
        _ftrace.latency_check, question.request, *samples, *tables, *await names_of(question)
    )


class _Samples:
    """The samples of the kind that was asked for last. A check has no window, so they are always all."""

    def __init__(self) -> None:
        self._kind: str | None = None
        self._samples = (b"", b"")

    async def of(self, question: Question, kind: str) -> tuple[bytes, bytes]:
        if kind != self._kind:
            self._samples = await samples_of(question)
            self._kind = kind
        return self._samples
