"""Whole answers for the reference: of requests about the samples, as this version answers them.

Each file in `examples/` is named after an operation and holds a request and its answer, with lists cut to
their first elements. `make bless` writes the answers, and a test compares them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from pydantic import JsonValue

FOLDER = Path(__file__).parent / "examples"


class Example(TypedDict):
    """`request` is the method and the path; `body` is JSON, and `file` a sample that is sent instead of it.

    `answer` is JSON or text, and missing until `make bless` has written it.
    """

    request: str
    body: NotRequired[JsonValue]
    file: NotRequired[str]
    answer: NotRequired[JsonValue]


def read_examples() -> Iterator[tuple[str, Example]]:
    """Names of operations with their examples."""
    for path in sorted(FOLDER.glob("*.json")):
        yield path.stem, json.loads(path.read_text())


def add_examples(document: dict[str, Any]) -> None:  # the OpenAPI document is JSON of many shapes
    """Puts requests, bodies and answers of the examples into an OpenAPI document."""
    examples = dict(read_examples())
    for call in (call for calls in document["paths"].values() for call in calls.values()):
        example = examples.get(call["operationId"])
        if example is None or "answer" not in example:
            continue
        call["x-request-example"] = example["request"]
        if "body" in example:
            call["requestBody"]["content"]["application/json"]["example"] = example["body"]
        answer = next(answer for status, answer in call["responses"].items() if status.startswith("2"))
        is_text = isinstance(example["answer"], str)
        contents = answer["content"].items()
        media = next(content for name, content in contents if name.startswith("text/") == is_text)
        media["example"] = example["answer"]
