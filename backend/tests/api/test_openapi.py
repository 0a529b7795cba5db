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
    *("run", "save", "change", "delete", "load", "label"),
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


def test_counts_and_sizes_are_numbers() -> None:
    """A time is text, too, since it may have a unit; what counts something never has one."""
    counted = {"width", "buckets", "limit", "top"}
    texts = [
        (place, parameter["name"])
        for place, operation in _operations()
        for parameter in operation.get("parameters", ())
        if parameter["name"] in counted and '"string"' in json.dumps(parameter["schema"])
    ]
    assert texts == []
