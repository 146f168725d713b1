"""The success bodies of the management service: the envelope around a declared model."""

from typing import Any, get_args, get_origin

from management_api.http.pagination import PageQuery
from tools.openapi.json_types import Json, reference
from tools.openapi.table_rows import Operation

_SUCCESS: Json = {"const": True}


def envelope_schema(operation: Operation, names: dict[Any, str]) -> Json:
    """Give the schema of the whole body; `names` says which component a model is."""
    declared = operation.declared
    if declared.data is None:
        # Only a deletion has nothing to show but its message.
        return _object({"success": _SUCCESS, "message": {"type": "string"}})
    if get_origin(declared.data) is not list:
        return _object({"success": _SUCCESS, "data": reference("schemas", names[declared.data])})
    (item,) = get_args(declared.data)
    members = {"success": _SUCCESS, "data": {"type": "array", "items": reference("schemas", names[item])}}
    if declared.query is not None and issubclass(declared.query, PageQuery):
        members["pagination"] = reference("schemas", "Pagination")
    return _object(members)


def model_of(data: Any) -> Any:  # noqa: ANN401 - a model or a list of one
    """Give the model that is shown, also when it is shown in a list."""
    return get_args(data)[0] if get_origin(data) is list else data


def _object(members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}
