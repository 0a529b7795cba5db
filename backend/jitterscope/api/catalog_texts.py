"""What the core knows about formats, diagnostics and analyses."""

import json
from functools import cache
from typing import Any

from jitterscope import _ftrace


@cache
def catalog() -> dict[str, Any]:  # the core's own JSON, declared in schemas/catalog.py
    return dict(json.loads(_ftrace.catalog()))


@cache
def _diagnostics() -> dict[str, tuple[str, str]]:
    return {entry["code"]: (entry["sentence"], entry["remedy"]) for entry in catalog()["diagnostics"]}


def diagnostic_text(code: str) -> tuple[str, str]:
    """(sentence, remedy) of a diagnostic; empty for a code of another version."""
    return _diagnostics().get(code, ("", ""))


def diagnostic_texts() -> dict[str, str]:
    """Sentence of every code of the core."""
    return {code: sentence for code, (sentence, _) in _diagnostics().items()}
