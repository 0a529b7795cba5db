"""The tables of the documentation that the program itself knows best."""

import json
from collections.abc import Callable, Iterable

from jitterscope import _ftrace
from jitterscope.settings import settings_rows


def settings_table() -> str:
    """Every setting; the table of docs/settings.md."""
    return _table(
        ("variable", "default", "meaning"), ((f"`{name}`", *rest) for name, *rest in settings_rows())
    )


def diagnostics_table() -> str:
    """Every diagnostic of the core; the table of docs/diagnostics.md."""
    diagnostics = json.loads(_ftrace.catalog())["diagnostics"]
    return _table(
        ("code", "severity", "what happened", "what to do"),
        (
            (f"`{entry['code']}`", entry["severity"].replace("_", " "), entry["sentence"], entry["remedy"])
            for entry in diagnostics
        ),
    )


def formats_table() -> str:
    """Every format, and what is taken off a file before; the table of docs/formats.md."""
    catalog = json.loads(_ftrace.catalog())
    return _table(
        ("recording", "`format`", "recognised by", "what is read", "what is not"),
        (
            (
                entry["title"],
                f"`{entry['name']}`" if "name" in entry else "",
                # A bar would end the cell.
                *(entry[column].replace("|", "\\|") for column in ("recognised_by", "reads", "leaves_out")),
            )
            for entry in (*catalog["formats"], *catalog["wrappings"])
        ),
    )


def latencies_table() -> str:
    """Every kind of latency; the first table of docs/latencies.md."""
    return _table(
        ("kind", "from → to", "keyed by", "notes"),
        (
            (f"`{kind['kind']}`", kind["definition"], _owner(kind["subject"], kind["key_name"]), kind["note"])
            for kind in json.loads(_ftrace.catalog())["latencies"]
        ),
    )


def advice_table() -> str:
    """Every entry of advice; the table of docs/advice.md."""
    return _table(
        ("mechanism", "condition", "what it means", "what usually helps", "how to check", "reference"),
        (
            (
                f"`{entry['mechanism']}`",
                *(entry[column].replace("|", "\\|") for column in ("condition", "meaning", "helps", "check")),
                f"`{entry['reference']}`",
            )
            for entry in json.loads(_ftrace.catalog())["advice"]
        ),
    )


def _owner(subject: str, key_name: str | None) -> str:
    owner = {"task": "pid", "cpu": "CPU"}[subject]
    return owner if key_name is None else f"{owner}, {key_name}"


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings_table,
    "diagnostics": diagnostics_table,
    "formats": formats_table,
    "latencies": latencies_table,
    "advice": advice_table,
}
"""The first table of docs/NAME.md, by NAME."""


def _table(head: tuple[str, ...], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
