"""Reads the OpenAPI document: operations, resolved references, and objects without further members."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

METHODS = ("get", "post", "put", "delete")
_COMMITTED = Path(__file__).parents[3] / "management_api" / "docs" / "openapi.json"


def committed_bytes() -> bytes:
    """Return the committed document."""
    return _COMMITTED.read_bytes()


def operations_of(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each operation as path, method and operation."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def example_of(document: dict[str, Any], operation_id: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the example of the body of an operation."""
    [operation] = [found for _, _, found in operations_of(document) if found["operationId"] == operation_id]
    return operation["requestBody"]["content"]["application/json"]["example"]


def resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the document; of a reference, its target."""
    pointer = part.get("$ref")
    if pointer is None:
        return part
    found: Any = document
    for name in pointer.removeprefix("#/").split("/"):
        found = found[name]
    return resolved(document, found)


def closed(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a schema whose objects have no members but the documented ones, although clients must ignore others."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    inner = {name: closed(value) for name, value in part.items()}
    if inner.get("type") == "object" and isinstance(inner.get("properties"), dict):
        inner.setdefault("additionalProperties", False)
    return inner


def part_of(document: dict[str, Any], *, sdk: bool) -> dict[str, Any]:
    """Return the document with the operations of one service alone: the edge, or the management service."""
    paths: dict[str, Any] = {}
    for path, method, operation in operations_of(document):
        if ("sdk" in operation["tags"]) is sdk:
            item = document["paths"][path]
            shared = {"parameters": item["parameters"]} if "parameters" in item else {}
            paths.setdefault(path, shared)[method] = operation
    return {**document, "paths": paths}
