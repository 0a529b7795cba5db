"""The description of the interface, as generators of clients read it."""

import re
from collections.abc import Iterator
from typing import Any

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
