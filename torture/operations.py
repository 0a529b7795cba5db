"""The operations that openapi.json promises, each with a good request for attacks to change."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from product import Json

# Streams end when the client goes, not when they are answered.
STREAMS = ("/progress",)


@dataclass(frozen=True)
class Operation:
    """One method of one path. `bodies` are JSON bodies, the good one first; none where none is taken."""

    method: str
    template: str
    in_path: tuple[str, ...]
    in_query: tuple[str, ...]
    given: Mapping[str, str]
    bodies: tuple[Json, ...]
    takes_forms: bool

    @property
    def is_safe(self) -> bool:
        """Whether a good request may be sent again and again."""
        return self.method != "DELETE" and not self.template.endswith(("/delete", "/reload"))

    @property
    def path(self) -> str:
        return self.path_with()

    @cached_property
    def written_body(self) -> bytes | None:
        return json.dumps(self.bodies[0]).encode() if self.bodies else None

    def path_with(self, changed: str = "", text: str = "") -> str:
        """Path and query, with this text as it stands for the parameter `changed`."""
        values = {name: quote(value, safe="") for name, value in self.given.items()}
        if changed:
            values[changed] = text
        path = self.template
        for name in self.in_path:
            path = path.replace(f"{{{name}}}", values[name])
        query = "&".join(f"{name}={values[name]}" for name in self.in_query if name in values)
        return f"{path}?{query}" if query else path


def operations(document: Json, known: Mapping[str, Json]) -> Iterator[Operation]:
    """All of the document; `known` has good values for parameters and properties by name."""
    named = {
        found["name"]
        for calls in document["paths"].values()
        for call in calls.values()
        for found in call.get("parameters", [])
        if found["in"] == "path"
    }
    # A path names what there is, a body what is to be made: each says another slug.
    in_bodies = {name: value for name, value in known.items() if name not in named}
    for path, calls in document["paths"].items():
        if path.endswith(STREAMS):
            continue
        for method, call in calls.items():
            parameters = call.get("parameters", [])
            content = call.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            yield Operation(
                method=method.upper(),
                template=path,
                in_path=tuple(found["name"] for found in parameters if found["in"] == "path"),
                in_query=tuple(found["name"] for found in parameters if found["in"] == "query"),
                given={
                    found["name"]: str(known.get(found["name"], "1"))
                    for found in parameters
                    if found["required"]
                },
                takes_forms="multipart/form-data" in content,
                bodies=()
                if schema is None
                else tuple(_Example(document, in_bodies, lean).of(schema) for lean in (True, False)),
            )


@dataclass(frozen=True)
class _Example:
    """Values of a schema: with every property, or (`is_lean`) with those that are required or known."""

    document: Json
    known: Mapping[str, Json]
    is_lean: bool

    def of(self, schema: Json, name: str = "") -> Json:
        if "$ref" in schema:
            return self.of(self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], name)
        if name in self.known:
            return self.known[name]
        if "anyOf" in schema:
            return self.of(schema["anyOf"][0], name)
        match schema.get("type"):
            case "object" if "patternProperties" in schema:
                return {"kernel": "rt"}
            case "object":
                return {
                    key: self.of(part, key)
                    for key, part in schema.get("properties", {}).items()
                    if self._has(schema, key)
                }
            case "array":
                return [self.of(schema["items"])]
            case "integer" | "number":
                return schema.get("default", schema.get("minimum", 0))
            case "boolean":
                return False
            case _:
                return schema.get("default", schema.get("enum", ["1"])[0])

    def _has(self, schema: Json, key: str) -> bool:
        return not self.is_lean or key in self.known or key in schema.get("required", [])
