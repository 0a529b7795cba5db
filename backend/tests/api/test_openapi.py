"""The description of the interface, as generators of clients read it."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter

from jitterscope import schemas
from jitterscope.main import create_app

_METHODS = {"get", "post", "put", "patch", "delete"}
_VERBS = (
    *("get", "list", "find", "watch", "check", "compare", "export", "upload"),
    *("run", "save", "change", "delete", "load", "label", "start", "continue", "cancel"),
)


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in create_app().openapi()["paths"].items():
        for method in _METHODS & item.keys():
            yield f"{method} {path}", item[method]


def test_operations_are_named_by_a_verb_and_a_noun_each_once() -> None:
    names = {place: operation["operationId"] for place, operation in _operations()}
    named = re.compile(rf"({'|'.join(_VERBS)})(_[a-z]+)+")
    assert {place: name for place, name in names.items() if not named.fullmatch(name)} == {}
    assert len(set(names.values())) == len(names)


def _models() -> Iterator[type[BaseModel]]:
    for module in pkgutil.iter_modules(schemas.__path__, f"{schemas.__name__}."):
        for model in vars(importlib.import_module(module.name)).values():
            if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module.name:
                yield model


def test_examples_are_values_that_their_fields_take() -> None:
    tried = 0
    for model in _models():
        for field in model.model_fields.values():
            described: Any = Annotated[field.annotation, field.description, *field.metadata]
            constrained: TypeAdapter[Any] = TypeAdapter(described)
            for example in field.examples or ():
                constrained.validate_python(example, strict=True)
                tried += 1
    assert tried > 700


def test_counts_shares_and_flags_are_no_texts() -> None:
    """A time is text, too, since it may have a unit; what counts something never has one."""
    counted = {"width", "buckets", "limit", "top", "min_share", "invert"}
    texts = [
        (place, parameter["name"])
        for place, operation in _operations()
        for parameter in operation.get("parameters", ())
        if parameter["name"] in counted and '"string"' in json.dumps(parameter["schema"])
    ]
    assert texts == []


def _texts(
    document: dict[str, Any], schema: dict[str, Any], place: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The free texts of a body, and their places in it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from _texts(document, document["components"]["schemas"][name], place)
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const", "format"}:
        yield place, schema
    for part in schema.get("anyOf", ()):
        yield from _texts(document, part, place)
    for kind in ("properties", "patternProperties"):
        for name, part in schema.get(kind, {}).items():
            yield from _texts(document, part, f"{place} {name}")
    if "items" in schema:
        yield from _texts(document, schema["items"], place)


def test_bodies_hold_no_nul() -> None:
    """PostgreSQL keeps none: a text that lets one through is an error of the server once it is looked for."""
    # Names are cleaned before they are kept, and a cursor is decoded before it is used.
    cleaned = {"name", "cursor"}
    document = create_app().openapi()
    texts = [
        found
        for place, operation in _operations()
        if (body := operation.get("requestBody", {}).get("content", {}).get("application/json"))
        for found in _texts(document, body["schema"], place)
    ]
    assert len(texts) > 60
    let_through = {
        place
        for place, schema in texts
        for text in ("\0", "a\0b", "label:\0")
        if place.rpartition(" ")[2] not in cleaned and re.search(schema.get("pattern", ""), text)
    }
    assert let_through == set()


def test_whole_answers_are_of_their_schemas() -> None:
    models = {model.__name__: model for model in _models()}
    tried = 0
    for _, operation in _operations():
        contents = [
            content
            for answer in operation["responses"].values()
            for content in answer.get("content", {}).items()
        ]
        for kind, content in contents:
            if kind == "application/json" and "example" in content:
                name = content["schema"]["$ref"].rpartition("/")[2]
                models[name].model_validate(content["example"])
                tried += 1
    assert tried > 45
