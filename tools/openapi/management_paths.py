"""The paths of the management service, from the routes table and what its responders declare."""

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from pydantic.json_schema import models_json_schema

from common.errors import ErrorCode
from management_api.db.models.projects import Role
from management_api.http.requests import RequestModel
from management_api.http.responses import Pagination, RawResponse
from tools.openapi import error_responses as errors
from tools.openapi.common_headers import response_headers
from tools.openapi.error_responses import ErrorResponse
from tools.openapi.json_types import Json, reference
from tools.openapi.management_answers import envelope_schema, model_of
from tools.openapi.member_notes import with_notes
from tools.openapi.path_parameters import path_parameter
from tools.openapi.request_schemas import completed_body, ignored_members, query_parameters, tidied
from tools.openapi.table_rows import Operation, interface_operations

_REF_TEMPLATE = "#/components/schemas/{model}"
_PATH_PARAMETER = re.compile(r"{(\w+)}")
_BY_CODE = {ErrorCode.CONFLICT: errors.CONFLICT, ErrorCode.UNAVAILABLE: errors.UNAVAILABLE}

#: The tag of a path is its first word, or what stands behind a project's id.
TAGS = {
    "projects": "Projects, their settings, keys and statistics.",
    "members": "Who may do what in a project.",
    "flows": "Onboarding sequences made of screens.",
    "screens": "The screens of a flow, in order.",
    "themes": "How flows look.",
    "experiments": "A/B tests between flows.",
    "analytics": "What devices did.",
    "user": "The calling user and their API key.",
    "documentation": "This document.",
}
_TAG_OF = {"screen-templates": "screens", "openapi.json": "documentation", "docs": "documentation"}


class ManagementPart:
    """The part of the document that the routes table gives: paths, schemas, and the error responses they use."""

    def __init__(self) -> None:
        self._operations = list(interface_operations())
        self._names: dict[Any, str] = {}
        self.schemas = self._make_schemas()
        self.used_errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for operation in self._operations:
            path = self.paths.setdefault(f"/api{operation.path}", {})
            names = _PATH_PARAMETER.findall(operation.path)
            if names:
                path["parameters"] = [path_parameter(name) for name in names]
            path[operation.method.lower()] = self._described(operation)

    def _make_schemas(self) -> dict[str, Json]:
        bodies = {body: one.method for one in self._operations if (body := one.declared.body) and _is_ours(body)}
        shown = dict.fromkeys(model_of(data) for one in self._operations if _is_shown(data := one.declared.data))
        inputs: list[Any] = [(model, "validation") for model in bodies]
        outputs: list[Any] = [(model, "serialization") for model in (*shown, Pagination)]
        references, generated = models_json_schema([*inputs, *outputs], ref_template=_REF_TEMPLATE)
        schemas: dict[str, Json] = generated["$defs"]
        for (model, _mode), pointer in references.items():
            self._names[model] = pointer["$ref"].rpartition("/")[2]
        for model, method in bodies.items():
            name = self._names[model]
            schemas[name] = completed_body(model, schemas[name], method)
        for model in _models_below(RequestModel):
            if model.__name__ in schemas and model.ignored:
                schemas[model.__name__]["properties"] |= ignored_members(model.ignored)
        answers = {name: schema for name, schema in schemas.items() if not name.endswith("Body")}
        return {name: tidied(schema) for name, schema in {**schemas, **with_notes(answers)}.items()}

    def _described(self, operation: Operation) -> Json:
        declared = operation.declared
        described: Json = {
            "operationId": declared.operation_id,
            "summary": declared.summary,
            "description": _description(operation),
            "tags": [_tag(operation.path)],
            "parameters": list(_header_parameters(operation)),
            "responses": {str(declared.status): self._success(operation)},
        }
        if declared.query is not None:
            described["parameters"] = [*query_parameters(declared.query), *described["parameters"]]
        if declared.body is not None:
            # A body of the public interface keeps the name that it has there.
            schema = reference("schemas", self._names.get(declared.body, declared.body.__name__))
            content = {"application/json": {"schema": schema}}
            described["requestBody"] = {"required": not declared.body_is_optional, "content": content}
        described["security"] = [] if operation.is_open else [{"bearer": []}]
        for error in _errors(operation):
            self.used_errors[_component_name(error, operation)] = error.component(counted=not operation.is_open)
            described["responses"][error.status] = reference("responses", _component_name(error, operation))
        return described

    def _success(self, operation: Operation) -> Json:
        declared = operation.declared
        own = (
            *(["ETag"] if operation.shows_a_tag else []),
            *(["Idempotency-Replayed"] if operation.takes_idempotency_key else []),
        )
        response: Json = {"description": "Created." if declared.status == 201 else "Success."}  # noqa: PLR2004 - Created
        response["headers"] = response_headers(*own, counted=not operation.is_open)
        if isinstance(declared.data, RawResponse):
            response["content"] = {kind: {"schema": dict(declared.data.schema)} for kind in declared.data.media_types}
        else:
            response["content"] = {
                "application/json": {"schema": envelope_schema(operation, self._names)},
                **{kind: {"schema": {"type": "string"}} for kind in declared.other_media_types},
            }
        return response


def _models_below(model: type[RequestModel]) -> Iterator[type[RequestModel]]:
    for one in model.__subclasses__():
        yield one
        yield from _models_below(one)


def _is_ours(body: type) -> TypeGuard[type[RequestModel]]:
    return issubclass(body, RequestModel)


def _is_shown(data: object) -> bool:
    return data is not None and not isinstance(data, RawResponse)


def _description(operation: Operation) -> str:
    who = f"Needs the role `{operation.permission.value}` or higher." if isinstance(operation.permission, Role) else ""
    return "\n\n".join(part for part in (operation.declared.description, who) if part)


def _tag(path: str) -> str:
    words = path.strip("/").split("/")
    last = words[2] if words[0] == "projects" and len(words) > 2 else words[0]  # noqa: PLR2004 - /projects/{id}/word
    known = _TAG_OF.get(last, last)
    return known if known in TAGS else words[0]


def _header_parameters(operation: Operation) -> Iterator[Json]:
    if operation.takes_if_match:
        yield reference("parameters", "IfMatch")
    if operation.takes_idempotency_key:
        yield reference("parameters", "IdempotencyKey")
    yield reference("parameters", "XRequestId")


def _component_name(error: ErrorResponse, operation: Operation) -> str:
    return f"Uncounted{error.name}" if operation.is_open else error.name


def _errors(operation: Operation) -> Iterator[ErrorResponse]:
    declared = operation.declared
    yield errors.BAD_REQUEST
    if not operation.is_open:
        yield from (errors.UNAUTHORIZED, errors.FORBIDDEN, errors.RATE_LIMITED, errors.UNAVAILABLE)
    missing = errors.not_found(declared.errors)
    if missing is not None:
        yield missing
    if declared.body is not None or operation.takes_idempotency_key:
        yield errors.TOO_LARGE
    if declared.body is not None:
        yield errors.UNSUPPORTED_TYPE
    if operation.takes_idempotency_key and ErrorCode.CONFLICT not in declared.errors:
        yield errors.CONFLICT
    if operation.takes_if_match:
        yield errors.PRECONDITION_FAILED
    yield from (_BY_CODE[code] for code in declared.errors if code in _BY_CODE)
    yield errors.INTERNAL
