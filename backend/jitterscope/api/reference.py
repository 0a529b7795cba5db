"""The reference of the API as one page without scripts, made from the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from jitterscope.problems import AppError

OpenApi = dict[str, Any]  # the OpenAPI document is JSON of many shapes

STYLE = """
:root { color-scheme: light dark; --line: #8886; --dim: #777; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 0 1rem 4rem; }
h1 { font-size: 22px; }
h2 { font-size: 16px; margin-top: 2.5rem; }
h3 { font-size: 14px; margin: 2rem 0 .25rem; }
code, .path { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid var(--line); padding: 4px 8px 4px 0; text-align: left; vertical-align: top; }
th { font-weight: 600; }
.dim { color: var(--dim); }
pre { border-left: 2px solid var(--line); font-size: 12px; overflow-x: auto; padding-left: 12px; }
summary { cursor: pointer; }
h3 .method { display: inline-block; min-width: 4.5rem; }
"""


def reference_page(openapi: OpenApi, problem_texts: dict[str, str]) -> str:
    """HTML of the calls, the objects and the problems. `problem_texts` are those of the core, by code."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'><title>Jitterscope API</title>",
        "<link rel='stylesheet' href='/docs/reference.css'></head><body>",
        f"<h1>{escape(openapi['info']['title'])} API</h1>",
        "<p>Machine-readable: <a href='/openapi.json'>/openapi.json</a>. Times are integer nanoseconds ",
        "from the trace's first record. Errors are RFC 9457 problem documents. Examples are about the ",
        "samples that come with Jitterscope; their lists are cut to the first elements.</p><h2>Calls</h2>",
        *(part for path, calls in openapi["paths"].items() for part in _calls(path, calls)),
        "<h2>Objects</h2>",
        *(part for item in sorted(openapi["components"]["schemas"].items()) for part in _schema(*item)),
        "<h2>Problems</h2><table><tr><th>code</th><th>status</th><th></th></tr>",
        *_problems(problem_texts),
        "</table></body></html>",
    ]
    return "".join(parts)


def _calls(path: str, calls: OpenApi) -> Iterator[str]:
    for method, call in calls.items():
        yield f"<h3><span class='method'>{method.upper()}</span> "
        yield f"<span class='path'>{escape(path)}</span></h3>"
        yield f"<p>{_prose(call.get('description', ''))}</p>"
        if call.get("parameters"):
            yield "<table>"
            for parameter in call["parameters"]:
                yield _row(
                    parameter["name"],
                    _type_name(parameter["schema"]) + ("" if parameter["required"] else ", optional"),
                    parameter.get("description") or parameter["schema"].get("description", ""),
                )
            yield "</table>"
        answers = ", ".join(_answer(status, answer) for status, answer in sorted(call["responses"].items()))
        yield f"<p class='dim'>Answers: {answers}</p>"
        yield from _example(call)


def _answer(status: str, answer: OpenApi) -> str:
    content: OpenApi = next(iter(answer.get("content", {}).values()), {})
    return f"{escape(status)} {_type_name(content.get('schema', {}))}".strip()


def _example(call: OpenApi) -> Iterator[str]:
    """The request and the answer of a call, folded; lists are cut to their first elements."""
    if "x-request-example" not in call:
        return
    bodies = _given({"": call.get("requestBody", {})})
    yield "<details><summary>Example</summary>"
    for text in (call["x-request-example"], *bodies, *_given(call["responses"])):
        yield f"<pre tabindex='0'>{escape(text)}</pre>"
    yield "</details>"


def _given(parts: dict[str, OpenApi]) -> Iterator[str]:
    """The examples in the contents of bodies and answers, as text."""
    contents = (content for part in parts.values() for content in part.get("content", {}).values())
    for example in (content["example"] for content in contents if "example" in content):
        yield example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)


def _schema(name: str, schema: OpenApi) -> Iterator[str]:
    yield f"<h3 id='{escape(name)}'>{escape(name)}</h3><p>{_prose(schema.get('description', ''))}</p><table>"
    for field, of in schema.get("properties", {}).items():
        yield _row(field, _type_name(of), of.get("description", ""))
    yield "</table>"


def _problems(texts: dict[str, str]) -> Iterator[str]:
    ours = {kind.code: (str(kind.status), kind.title) for kind in _app_errors(AppError)}
    cores = {code: ("415, or in error", text) for code, text in texts.items() if code not in ours}
    for code, (status, text) in sorted((ours | cores).items()):
        cells = (f"<code>{escape(code)}</code>", escape(status), escape(text))
        yield f"<tr id='problem-{escape(code)}'>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _app_errors(of: type[AppError]) -> Iterator[type[AppError]]:
    for kind in of.__subclasses__():
        # What only groups others has none.
        if "code" in vars(kind):
            yield kind
        yield from _app_errors(kind)


def _row(name: str, type_name: str, text: str) -> str:
    return f"<tr><td><code>{escape(name)}</code></td><td>{type_name}</td><td>{_prose(text)}</td></tr>"


def _prose(text: str) -> str:
    """HTML of a description; what it has in backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _type_name(schema: OpenApi) -> str:
    """A type in a few words, as HTML: named objects are links."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if "anyOf" in schema:
        return " | ".join(_type_name(option) for option in schema["anyOf"])
    if schema.get("type") == "array":
        return f"{_type_name(schema.get('items', {}))}[]"
    if "enum" in schema:
        return " | ".join(escape(repr(value)) for value in schema["enum"])
    return escape(str(schema.get("format") or schema.get("type") or ""))
