"""The examples of the reference are what this version answers about the samples.

`make bless` writes the answers into `jitterscope/api/examples/`; read the diff, then run `make client`.
"""

import json
import re
from collections.abc import Iterator

import pytest
from pydantic import JsonValue

from jitterscope.api.examples import FOLDER, Example, read_examples
from jitterscope.embedded import EmbeddedPostgres
from jitterscope.main import create_app
from jitterscope.run.samples import SAMPLES, list_samples
from tests.api.service import Service
from tests.api.statements import serving_people

# Operations that answer nothing, or bytes; one that no sample is of; one that no two servers answer alike.
WITHOUT = {
    *("delete_trace", "delete_experiment", "delete_baseline", "get_raw"),
    *("start_upload", "get_upload_offset", "continue_upload", "cancel_upload"),
    *("compare_exactly", "compare_shelves", "get_service"),
}
# These change what others show: the first ones make what they need, the last ones are in this order.
_FIRST = ("save_experiment", "save_baseline")
_LAST = ("change_trace", "label_selection", "load_trace_again", "delete_selection", "upload_trace")
_MOST_BYTES = 4_000
_MOST_TEXT = 600
_BASE_URL = "https://jitterscope.example"
# What no two runs have in common.
_VOLATILE = {
    r"20\d\d-\d\d-\d\dT[\d:.]+(Z|\+00:00)": "2026-01-01T12:00:00Z",
    r'"20\d\d-\d\d-\d\d"': '"2026-01-01"',
}


@pytest.fixture(scope="module")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the samples that a new installation has, but for the one that is uploaded."""
    sent_later = {example.get("file") for _, example in read_examples()}
    with serving_people(postgres, tmp_path_factory, "examples") as service:
        samples = [sample for sample in list_samples() if sample.path.name not in sent_later]
        # One after the other, since catalogs and trends are in the order of arrival.
        sent = [service.upload(sample.path.read_bytes(), sample.path.name).json()["id"] for sample in samples]
        for trace_id, sample in zip(sent, samples, strict=True):
            named = {"name": sample.name, "labels": {"sample": "yes"}}
            assert service.client.patch(f"/api/v1/traces/{trace_id}", json=named).status_code == 200
            service.wait(trace_id)
        yield service


def _cut(answer: JsonValue, most: int) -> JsonValue:
    """Lists cut to a number of elements."""
    if isinstance(answer, dict):
        return {name: _cut(value, most) for name, value in answer.items()}
    return [_cut(value, most) for value in answer[:most]] if isinstance(answer, list) else answer


def _answer(service: Service, example: Example) -> JsonValue:
    method, _, path = example["request"].partition(" ")
    content = (SAMPLES / example["file"]).read_bytes() if "file" in example else None
    response = service.client.request(method, path, json=example.get("body"), content=content)
    assert response.status_code in {200, 201, 202}, f"{example['request']}: {response.text}"
    text = response.text.replace(service.base_url, _BASE_URL)
    for pattern, replacement in _VOLATILE.items():
        text = re.sub(pattern, replacement, text)
    if not response.headers["content-type"].startswith("application/json"):
        return text[:_MOST_TEXT]
    cuts = (_cut(json.loads(text), most) for most in (3, 2, 1))
    return next(cut for cut in cuts if len(json.dumps(cut)) <= _MOST_BYTES)


def _in_order(examples: dict[str, Example]) -> Iterator[tuple[str, Example]]:
    between = [name for name in examples if name not in {*_FIRST, *_LAST}]
    # What is shown comes before what is changed.
    between.sort(key=lambda name: not examples[name]["request"].startswith("GET"))
    return ((name, examples[name]) for name in (*_FIRST, *between, *_LAST))


def test_examples_are_what_is_answered(service: Service, request: pytest.FixtureRequest) -> None:
    for name, example in _in_order(dict(read_examples())):
        answered: Example = {**example, "answer": _answer(service, example)}
        if request.config.getoption("--bless"):
            text = json.dumps(answered, indent=2, ensure_ascii=False)
            (FOLDER / f"{name}.json").write_text(f"{text}\n")
        assert answered == example or request.config.getoption("--bless"), name


def test_every_operation_has_an_example() -> None:
    paths = create_app().openapi()["paths"].values()
    names = {call["operationId"] for calls in paths for call in calls.values()}
    assert {name for name, _ in read_examples()} == names - WITHOUT
