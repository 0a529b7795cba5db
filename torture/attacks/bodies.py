"""Hostile values in every body, header and path of every operation: nothing may be answered as our fault."""

import contextlib
import http.client
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from attack import SAMPLES, Attack, Extent, Outcome
from hostile import (
    BODIES,
    CONTENT_TYPES,
    HEADER_VALUES,
    HEADERS,
    HOSTILE,
    JSON_KEYS,
    JSON_TEXTS,
    NUL_PART,
    NUL_TEXTS,
    PATH_PARTS,
)
from operations import Operation, operations
from product import Answer, Json, Product, ProductError

RECORDING = "cyclictest-6.12-rt.dat"
# Shelves are of counts, and a trace has none: refused once the body was read.
NOT_MEASURED = ("/shelves",)
# Of the short form, besides those that `has_nul`.
SHORT_TRIES = 1000
FILE_PART = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    b"# tracer: nop\n#\n            sh-1     [000] .....     1.000000: sched_waking: comm=a pid=2 prio=3\n"
    b"\r\n--x--\r\n"
)
JSON_HEAD = (("Content-Type", b"application/json"),)


@dataclass(frozen=True)
class Try:
    """One request. `hostile` names what is hostile in it, for people.

    `has_nul` where one parameter, property or part holds NUL, which PostgreSQL does not: what slips
    through there is our fault, so a sample is too few.
    """

    method: str
    path: str
    hostile: str
    body: bytes | None = None
    headers: tuple[tuple[str, bytes], ...] = ()
    has_nul: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path[:120]} with {self.hostile[:120]}"


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    choose = random.Random(extent.seed)  # noqa: S311 (the same tries in every run)
    with tempfile.TemporaryDirectory(prefix="jitterscope-bodies-") as name, Product(Path(name)) as product:
        known = _known(product)
        found = list(operations(product.ask("/openapi.json"), known))
        for operation in found:
            _require_good(product, operation, outcome)
        tries = [one for operation in found for one in _tries(operation)]
        if not extent.is_long:
            tries = _short(tries, choose)
        # What may delete the trace that the others ask about comes last.
        tries.sort(key=lambda one: "delete" in (one.method + one.path).lower())
        told = Counter(_attempt(product, one, outcome) for one in tries)
        outcome.require(
            holds=product.request("GET", "/readyz").status == 200,
            otherwise="the service is not ready afterwards",
        )
    outcome.figures += [("operations", str(len(found)))]
    outcome.figures += [("parameters, properties and parts with NUL", str(sum(one.has_nul for one in tries)))]
    outcome.figures += [
        (f"answered {status}", str(count)) for status, count in sorted(told.items()) if status
    ]
    return outcome


def _short(tries: list[Try], choose: random.Random) -> list[Try]:
    """NUL in every place, and of all else a sample."""
    others = [one for one in tries if not one.has_nul]
    return [one for one in tries if one.has_nul] + choose.sample(others, min(len(others), SHORT_TRIES))


def _known(product: Product) -> dict[str, Json]:
    """A good value for each parameter and property that leads somewhere."""
    trace_id = product.load(SAMPLES / RECORDING, RECORDING)["id"]
    case = product.ask(f"/api/v1/traces/{trace_id}/latencies?limit=1")["items"][0]
    known = {
        "trace_id": trace_id,
        "case_id": case["id"],
        "kind": case["kind"],
        "traces": [trace_id],
        "ids": [trace_id],
        "slug": "kept",
        "sql": "select 1",
        "value": "1ms",
        "abnormal": f"{trace_id}/cases/{case['id']}",
        "normal": "auto",
    }
    measure = {"kind": case["kind"]}
    variant = {"name": "a", "traces": [trace_id]}
    _create(product, "baselines", {"name": "kept", "slug": "kept", "variant": {"traces": [trace_id]}})
    comparison = {"measure": measure, "variants": [variant]}
    _create(product, "experiments", {"name": "kept", "slug": "kept", "comparison": comparison})
    return known


def _create(product: Product, what: str, body: Json) -> None:
    answer = product.request(
        "POST", f"/api/v1/{what}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    if answer.status not in (200, 201):
        raise ProductError(f"POST {what}: {answer.status} {answer.body[:500]!r}")


def _require_good(product: Product, operation: Operation, outcome: Outcome) -> None:
    """What is changed is good before: else each try would be refused for the same reason."""
    if operation.is_safe and operation.bodies and not operation.template.endswith(NOT_MEASURED):
        answer = product.request(
            operation.method, operation.path, operation.written_body, {"Content-Type": "application/json"}
        )
        good = f"{operation.method} {operation.path} as it should be"
        outcome.require(holds=answer.status < 300, otherwise=f"{good}: {answer.status} {answer.body[:300]!r}")


def _tries(operation: Operation) -> Iterator[Try]:
    yield from _paths(operation)
    if operation.is_safe:
        yield from _heads(operation)
    if operation.bodies:
        yield from _changed_bodies(operation)
        yield from _no_bodies(operation)
    if operation.takes_forms:
        yield from _forms(operation)


def _paths(operation: Operation) -> Iterator[Try]:
    # The values of a GET are another attack's.
    values = () if operation.method == "GET" else (quote(value, safe="") for value in HOSTILE)
    parts = (*PATH_PARTS, *values)
    for name in (*operation.in_path, *operation.in_query):
        for part in parts:
            path = operation.path_with(name, part)
            body = operation.written_body
            yield Try(operation.method, path, f"{name}={part}", body, JSON_HEAD, has_nul=part == NUL_PART)


def _heads(operation: Operation) -> Iterator[Try]:
    for name in HEADERS:
        for value in HEADER_VALUES:
            head = (*JSON_HEAD, (name, value))
            yield Try(operation.method, operation.path, f"{name}: {value!r}", operation.written_body, head)


def _changed_bodies(operation: Operation) -> Iterator[Try]:
    whole = ((text, text, f"{text[:60]} as the body") for text in JSON_TEXTS)
    for text, value, changed in chain(whole, *(_mutants(body) for body in operation.bodies)):
        has_nul = value in NUL_TEXTS
        yield Try(operation.method, operation.path, changed, text.encode(), JSON_HEAD, has_nul)


def _no_bodies(operation: Operation) -> Iterator[Try]:
    for body in BODIES:
        for kind in CONTENT_TYPES:
            hostile = f"{body[:40]!r} as {kind!r}"
            yield Try(operation.method, operation.path, hostile, body, (("Content-Type", kind),))


def _forms(operation: Operation) -> Iterator[Try]:
    """Uploads as a page sends them, with a hostile name, value or file name of a part."""
    head = (("Content-Type", b"multipart/form-data; boundary=x"),)
    for text in HOSTILE:
        value = text.encode("utf-8", "surrogatepass")
        for name in (b"name", b"labels", b"with", b"filename", b"file", value):
            for inside, named in ((value, b""), (b"x", b'; filename="' + value + b'"')):
                part = b'--x\r\nContent-Disposition: form-data; name="' + name + b'"' + named
                body = part + b"\r\n\r\n" + inside + b"\r\n" + FILE_PART
                hostile = f"{part!r} {text[:40]!r}"
                yield Try(operation.method, operation.path, hostile, body, head, has_nul=text == "\0")


def _mutants(body: Json) -> Iterator[tuple[str, str, str]]:
    """The body with one value replaced, for each value in it and each replacement.

    Yields the JSON text of the whole body, the replacement, and its place in words.
    """
    for place in _places(body):
        for value in JSON_TEXTS:
            yield _written(body, place, value), value, f"{'.'.join(map(str, place))} = {value[:60]}"
        for key in JSON_KEYS:
            for value in ("null", "1", '"\\u0000"', "{}"):
                text = f"{{{key}:{value}}}"
                yield _written(body, place, text), text, f"{'.'.join(map(str, place))} = {key}: {value}"


def _places(value: Json, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*at, key)
        yield from _places(part, (*at, key))


def _written(value: Json, place: tuple[str | int, ...], text: str) -> str:
    """The value as JSON, with this text where the place leads."""
    if not place:
        return text
    here, rest = place[0], place[1:]
    if isinstance(value, dict):
        parts = (
            f"{json.dumps(key)}:{_written(part, rest, text) if key == here else json.dumps(part)}"
            for key, part in value.items()
        )
        return "{" + ",".join(parts) + "}"
    parts = (
        _written(part, rest, text) if number == here else json.dumps(part)
        for number, part in enumerate(value)
    )
    return "[" + ",".join(parts) + "]"


def _attempt(product: Product, one: Try, outcome: Outcome) -> int:
    """Status of the answer; 0 where there was none."""
    outcome.tried += 1
    try:
        answer = _answer(product, one)
    except (OSError, http.client.HTTPException) as failure:
        outcome.failures.append(f"{one}: {failure!r}")
        return 0
    if answer.status >= 500 and answer.status != http.HTTPStatus.NOT_IMPLEMENTED:
        outcome.failures.append(f"{one}: {answer.status} {answer.body[:200]!r}")
    return answer.status


def _answer(product: Product, one: Try) -> Answer:
    """The answer to exactly these bytes: not what some client thinks may be sent.

    Raises: OSError, HTTPException.
    """
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=30)
    try:
        named = {name.lower() for name, _ in one.headers}
        connection.connect()
        lines = [f"{one.method} {one.path} HTTP/1.1".encode("ascii", "replace")]
        lines += [name.encode() + b": " + value for name, value in one.headers]
        if "host" not in named:
            lines.append(f"Host: 127.0.0.1:{product.port}".encode())
        if "transfer-encoding" not in named:
            lines.append(b"Content-Length: %d" % len(one.body or b""))
        lines.append(b"Connection: close")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sock.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + (one.body or b""))
        response = http.client.HTTPResponse(connection.sock, method=one.method)
        response.begin()
        return Answer(response.status, {}, response.read())
    finally:
        connection.close()


ATTACK = Attack(
    name="bodies",
    promise="no body, header or path makes the product answer that the fault is its own",
    run=run,
)
