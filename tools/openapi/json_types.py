"""The type of the parts of an OpenAPI document."""

from typing import Any

Json = dict[str, Any]


def reference(kind: str, name: str) -> Json:
    """Point at a component of the document."""
    return {"$ref": f"#/components/{kind}/{name}"}
