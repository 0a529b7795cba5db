"""Hostile values for every parameter of every GET, and cursors that somebody has worked on."""

import base64
import http.client
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attack import SAMPLES, Attack, Extent, Outcome
from hostile import HOSTILE
from operations import STREAMS
from product import Answer, Json, Product

RECORDINGS = ("cyclictest-6.12-rt.dat", "timer-interrupt-normal.txt")
LONGEST_SECONDS = 2.0
SHORT_TRIES = 450
PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Ask:
    """One request; `parameter` is the one with the hostile value."""

    path: str
    parameter: str
    value: str

    def __str__(self) -> str:
        shown = self.value if len(self.value) <= 60 else f"{self.value[:60]}… ({len(self.value)} characters)"
        return f"{self.path.partition('?')[0]} with {self.parameter}={shown!r}"


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    choose = random.Random(extent.seed)  # noqa: S311 (the same tries in every run)
    with (
        tempfile.TemporaryDirectory(prefix="jitterscope-parameters-") as name,
        Product(Path(name)) as product,
    ):
        traces = [product.load(SAMPLES / recording, recording) for recording in RECORDINGS]
        operations = product.ask("/openapi.json")["paths"]
        asks = [ask for trace in traces for ask in _asks(operations, _known(product, trace))]
        cursors = [ask for trace in traces for ask in _cursors(product, trace, choose)]
        if not extent.is_long:
            asks = choose.sample(asks, min(len(asks), SHORT_TRIES))
            cursors = choose.sample(cursors, min(len(cursors), SHORT_TRIES // 3))
        slowest = 0.0
        for ask in [*asks, *cursors]:
            slowest = max(slowest, _try(product, ask, outcome))
        outcome.require(
            holds=product.request("GET", "/readyz").status == 200,
            otherwise="the service is not ready afterwards",
        )
    outcome.figures += [
        ("slowest answer", f"{slowest * 1000:.0f} ms"),
        ("of them cursors", str(len(cursors))),
    ]
    return outcome


def _known(product: Product, trace: Json) -> dict[str, str]:
    """A good value for each parameter that a path or a call cannot do without."""
    path = f"/api/v1/traces/{trace['id']}"
    cases = product.ask(f"{path}/latencies?limit=2")["items"]
    case = cases[0]["id"] if cases else "wakeup-1@0"
    functions = product.ask(f"{path}/functions")["items"]
    function = functions[0]["symbol"] if functions else "schedule"
    lanes = product.ask(f"{path}/calls?width=100")["lanes"]
    calls = [call for lane in lanes for call in lane.get("call_id") or []]
    ref = f"{trace['id']}/cases/{case}"
    kind = cases[0]["kind"] if cases else "wakeup"
    return {
        "trace_id": trace["id"],
        "case_id": case,
        "call_id": calls[0] if calls else "0",
        "function": function,
        "abnormal": ref,
        "normal": "auto",
        "kind": kind,
    }


def _asks(operations: Json, known: dict[str, str]) -> Iterator[Ask]:
    for path, calls in operations.items():
        if "get" not in calls or path.endswith(STREAMS):
            continue
        parameters = [
            found for found in calls["get"].get("parameters", []) if found["in"] in ("path", "query")
        ]
        for parameter in parameters:
            for value in HOSTILE:
                yield _with(path, parameters, known, parameter["name"], value)
        yield _with(path, parameters, known, "not_declared", "1")


def _with(path: str, parameters: list[Json], known: dict[str, str], name: str, value: str) -> Ask:
    given = {found["name"]: known.get(found["name"], "1") for found in parameters if found["required"]}
    given[name] = value
    in_path = {found["name"] for found in parameters if found["in"] == "path"}
    for part in in_path:
        path = path.replace(f"{{{part}}}", quote(given.pop(part), safe="") or "%20")
    query = "&".join(f"{quote(key)}={quote(text, safe='')}" for key, text in given.items())
    return Ask(f"{path}?{query}" if query else path, name, value)


def _cursors(product: Product, trace: Json, choose: random.Random) -> Iterator[Ask]:
    """Mutants of the cursors of every list that has a second page, and cursors of the other lists."""
    path = f"/api/v1/traces/{trace['id']}"
    lists = [
        "/api/v1/traces?limit=1",
        "/api/v1/traces?limit=1&sort=name",
        "/api/v1/traces?limit=1&sort=size_bytes",
    ]
    lists += [
        "/api/v1/traces?limit=1&sort=-worst",
        f"{path}/events?limit=1",
        f"{path}/events?limit=1&order=desc",
    ]
    lists += [
        f"{path}/{name}?limit=1"
        for name in ("latencies", "functions", "warnings", "event-types", "event-fields")
    ]
    lists += [f"{path}/latencies?limit=1&sort=t&kind={kind}" for kind in ("wakeup", "irq")]
    answers = [product.request("GET", at) for at in lists]
    good = [
        (at, answer.json().get("next"))
        for at, answer in zip(lists, answers, strict=True)
        if answer.status == 200
    ]
    found = [(at, cursor) for at, cursor in good if cursor]
    for at, cursor in found:
        others = [other for _, other in found if other != cursor]
        for mutant in (*_mutants(cursor, choose), *others):
            yield Ask(f"{at}&cursor={quote(mutant, safe='')}", "cursor", mutant)


def _mutants(cursor: str, choose: random.Random) -> Iterator[str]:
    for length in range(1, len(cursor), max(1, len(cursor) // 8)):
        yield cursor[:length]
    for _ in range(12):
        at = choose.randrange(len(cursor))
        yield cursor[:at] + choose.choice("ABCxyz019-_=.~%") + cursor[at + 1 :]
    yield from (cursor + cursor, cursor + "=", cursor[::-1], cursor.swapcase())
    yield from (_encoded("[" * 300 + "]" * 300), _encoded("\0"), "A" * 999)
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        # The core writes its own.
        numbers = ("0", "-1", str(2**31), str(2**63 - 1), str(2**63), str(2**64), "9" * 40, "1e3", "")
        parts = cursor.replace("-", ".").replace(":", ".").split(".")
        yield from (
            ".".join([*parts[:at], number, *parts[at + 1 :]])
            for at in range(len(parts))
            for number in numbers
        )
        return
    if isinstance(position, list):
        for at in range(len(position)):
            for value in _VALUES:
                yield _encoded(json.dumps([*position[:at], value, *position[at + 1 :]]))
        yield _encoded(json.dumps([*position, 1]))
        yield _encoded(json.dumps(position[:-1]))


_VALUES: tuple[Any, ...] = (  # any JSON
    *(None, True, -1, 0, 2**31, 2**63 - 1, 2**63, -(2**70), 10**400, 1.5, 1e308, float("nan"), float("inf")),
    *("", "x", "a\0b", "\ud800", "9" * 200, "2026-13-45", "0001-01-01T00:00:00", "9999-12-31T23:59:59+23:59"),
    *([], [1], {}, {"a": 1}),
)


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def _try(product: Product, ask: Ask, outcome: Outcome) -> float:
    """Seconds to the answer."""
    outcome.tried += 1
    began = time.monotonic()
    try:
        answer = product.request("GET", ask.path, seconds=30)
    except (OSError, http.client.HTTPException) as failure:
        outcome.failures.append(f"{ask}: {failure!r}")
        return time.monotonic() - began
    seconds = time.monotonic() - began
    outcome.require(holds=seconds <= LONGEST_SECONDS, otherwise=f"{ask}: {seconds:.1f} s")
    if (problem := _problem_with(answer, ask)) is not None:
        outcome.failures.append(f"{ask}: {answer.status} {problem}")
    return seconds


def _problem_with(answer: Answer, ask: Ask) -> str | None:
    """What is wrong with the answer, if anything."""
    if answer.status == 200:
        return None
    # What a hostile value may be told, and nothing else.
    if answer.status not in (400, 404, 409, 413, 414, 422, 431):
        return f"{answer.body[:200]!r}"
    if answer.headers.get("content-type") != PROBLEM:
        return f"is no problem document: {answer.headers.get('content-type')}"
    problem = answer.json()
    if answer.status == 422 and not any(error.get("parameter") for error in problem.get("errors", [])):
        return f"names no parameter: {problem['detail']!r}"
    if ask.parameter == "cursor" and answer.status == 422:
        named = [error["parameter"] for error in problem["errors"]]
        return None if named == ["cursor"] else f"names {named}"
    return None


ATTACK = Attack(
    name="parameters",
    promise="whatever a parameter says, the answer is quick, and a refusal names the parameter",
    run=run,
)
