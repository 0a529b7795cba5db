"""The two sides of a comparison as they are asked for."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from jitterscope.explore.question import Parameters, Question, ask
from jitterscope.problems import InvalidParameter
from jitterscope.store.database import Database
from jitterscope.store.side_facts import side_facts

Kind = Literal["call", "calls", "case", "cases"]
Picked = Literal["auto", "all"]

_CALLS = "calls:"
_CALL_FILTERS = ("cpu", "pid", "min", "max", "start", "end")
_CASES = "cases:"
_CASE_FILTERS = (*_CALL_FILTERS, "comm", "key", "field")
_REF = re.compile(r"([\w-]{1,64})/([^\x00-\x1f\x7f]{1,1000})")
_WANTED = (
    "expected a trace and what to look at in it: abcdefghijkl/call-1213@4500.2, a case such as "
    "abcdefghijkl/wakeup-1213@2563694, or a group: all calls of a function, "
    "abcdefghijkl/calls:schedule;cpu=1, or all cases of a kind, abcdefghijkl/cases:wakeup;comm=rt;min=50us"
)


@dataclass(frozen=True)
class Ref:
    """One side: in which trace, and what there. `parameter` is how refusals name it."""

    parameter: str
    trace_id: str
    what: str

    @property
    def kind(self) -> Kind:
        if self.what.startswith(_CALLS):
            return "calls"
        if self.what.startswith(_CASES):
            return "cases"
        return "call" if self.what.startswith("call-") and "." in self.what.rpartition("@")[2] else "case"

    @property
    def is_of_calls(self) -> bool:
        return self.kind in ("call", "calls")

    @property
    def is_group(self) -> bool:
        return self.kind in ("calls", "cases")

    @property
    def case_kind(self) -> Parameters:
        """What asks for all cases of the kind that a case or a group of cases is of."""
        if self.kind == "cases":
            asked = self.parameters()
            return {name: asked[name] for name in ("kind", "field") if name in asked}
        name = self.what.rpartition("@")[0].rpartition("-")[0]
        kind, _, field = name.partition(".")
        return {"kind": kind, "field": field} if field else {"kind": kind}

    def parameters(self) -> Parameters:
        """What the core is asked.

        Raises: InvalidParameter.
        """
        match self.kind:
            case "call":
                return {"id": self.what}
            case "calls":
                return self._group(_CALLS, "function", _CALL_FILTERS)
            case "case":
                return {"case": self.what}
            case "cases":
                return self._group(_CASES, "kind", _CASE_FILTERS)

    def _group(self, prefix: str, first: str, known: Sequence[str]) -> Parameters:
        """`calls:schedule;cpu=1;min=50us`"""
        value, *filters = self.what.removeprefix(prefix).split(";")
        asked = {first: value}
        for text in filters:
            name, is_given, value = text.partition("=")
            if name not in known or not is_given:
                wanted = ", ".join(f"{name}=" for name in known)
                what = prefix.removesuffix(":")
                raise InvalidParameter(self.parameter, f"{text!r} is no filter of {what}; expected {wanted}")
            asked[name] = value
        return asked

    def __str__(self) -> str:
        return f"{self.trace_id}/{self.what}"


def parse_ref(parameter: str, text: str) -> Ref:
    """Raises: InvalidParameter."""
    found = _REF.fullmatch(text)
    if found is None:
        raise InvalidParameter(parameter, f"{text!r} is nothing to compare; {_WANTED}")
    return Ref(parameter, found[1], found[2])


@asynccontextmanager
async def ask_side(
    database: Database, ref: Ref, parameters: Parameters, base_url: str
) -> AsyncIterator[Question]:
    """A question about the trace of one side, whose refusals name the side.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    try:
        async with ask(database, ref.trace_id, parameters, f"{base_url}/t/{ref.trace_id}") as question:
            yield question
    except InvalidParameter as error:
        if error.parameter in ("abnormal", "normal", "noise_floor", "limit"):
            raise
        detail = error.message if error.parameter == "id" else f"{error.parameter}: {error.message}"
        raise InvalidParameter(ref.parameter, detail, code=error.code) from error


def page_url(base_url: str, abnormal: str, normal: str) -> str:
    """The permalink of a comparison."""
    return f"{base_url}/diff?abnormal={quote(abnormal, safe='/@:')}&normal={quote(normal, safe='/@:')}"


async def trace_facts(question: Question, url: str) -> dict[str, Any]:
    """What the guard compares, and what names the side."""
    facts = await side_facts(await question.blocks.connect(), question.trace.key)
    return {"url": url, **facts}
