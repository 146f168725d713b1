"""Reading the OpenAPI document: its operations, its references followed, and its objects closed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

METHODS = ("get", "post", "put", "delete")
_COMMITTED = Path(__file__).parents[3] / "management_api" / "docs" / "openapi.json"


def committed_bytes() -> bytes:
    """Return the committed document."""
    return _COMMITTED.read_bytes()


def operations_of(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return every operation with its path and its method."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def example_of(document: dict[str, Any], operation_id: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the example of the body of an operation."""
    [operation] = [one for _, _, one in operations_of(document) if one["operationId"] == operation_id]
    return operation["requestBody"]["content"]["application/json"]["example"]


def resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference, if it is one."""
    pointer = part.get("$ref")
    if pointer is None:
        return part
    found: Any = document
    for name in pointer.removeprefix("#/").split("/"):
        found = found[name]
    return resolved(document, found)


def closed(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """Let no object have members that the document does not name, where it leaves that open to clients."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    inner = {name: closed(one) for name, one in part.items()}
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
