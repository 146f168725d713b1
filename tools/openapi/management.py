"""The paths and schemas of the management service, from its routes, their endpoints and models."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Any, get_args, get_origin

from pydantic import SecretStr
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from pydantic_core import core_schema

from common.errors import ErrorCode
from common.ids import IdPrefix
from common.settings.shared import DatabaseSettings
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.tickets import Tickets
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Role
from management_api.flows.lifecycle.preview_links import PreviewLinks
from management_api.http.pagination import PageQuery
from management_api.http.requests import READ_ONLY_MEMBERS, RequestModel
from management_api.http.responses import ETagModel, Pagination, RawResponse, ResponseModel
from management_api.http.routes import api_routes, documentation_routes
from management_api.http.routing import Access, Data, Endpoint, Permission
from management_api.media.resources import MediaLibrary
from management_api.projects.quotas import Quotas
from tools.openapi import components, public
from tools.openapi.components import REF_TEMPLATE, ErrorResponse, Json, reference, response

#: The tag of an operation is the folder of its resource.
TAGS = {
    "projects": "Projects, their settings, keys and QA devices.",
    "members": "The members of a project and their roles.",
    "flows": "Onboarding sequences made of screens.",
    "screens": "The screens of a flow, in order.",
    "themes": "Colours, fonts and other style of flows.",
    "experiments": "A/B tests between flows, and explanations of resolutions.",
    "analytics": "Statistics, events and devices.",
    "audit": "The changes of a project.",
    "users": "The calling user and their API key.",
    "docs": "This document.",
}
_OTHER_PATH_PARAMETERS: Json = {
    "number": {
        "description": "The number of a version; one that is not kept does not exist.",
        "schema": {"type": "string", "pattern": "^[1-9][0-9]{0,9}$"},
        "example": "1",
    },
    "device_id": {
        "description": "The device's own id, percent-encoded.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 256},
        "example": "device-1",
    },
    "asset": {"description": "The name of a file of the documentation page.", "schema": {"type": "string"}},
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one route."""

    method: str
    path: str
    permission: Permission
    cost: int
    endpoint: Endpoint
    tag: str

    @property
    def is_open(self) -> bool:
        """Whether it needs no credential; then it has no rate limit either."""
        return self.permission is Access.OPEN


def interface_operations() -> Iterator[Operation]:
    """Yield every method of every route; the resources connect to nothing before a request."""
    database = Database(DatabaseSettings(database_url=SecretStr("postgresql://nobody@nowhere/none")))
    quotas = Quotas(*[1] * len(fields(Quotas)))
    vault, assignments = KeyVault(SecretStr("A" * 43 + "=")), AssignmentTokens([b""])
    links = PreviewLinks(Tickets([b""]), "https://edge.example.com")
    for route in (*api_routes(database, vault, quotas, assignments, links, MediaLibrary()), *documentation_routes()):
        tag = type(route.resource).__module__.split(".")[1]
        for method, permission in route.permissions.items():
            yield Operation(method, route.path, permission, route.cost, route.endpoint(method), tag)


class _SchemaGenerator(GenerateJsonSchema):
    """Pydantic's schemas without titles of members, and without null as a default, which is the same as absence."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's signature
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Json:
        described = super().default_schema(schema)
        return {key: part for key, part in described.items() if not (key == "default" and part is None)}


class ManagementPart:
    """The part of the document that comes from the routes: paths, schemas and the error responses in use."""

    def __init__(self) -> None:
        operations = list(interface_operations())
        models = _model_schemas(operations)
        queries = {operation.endpoint.query for operation in operations if operation.endpoint.query}
        self._queries = {query: list(_query_parameters(query, models.pop(query.__name__))) for query in queries}
        self.schemas = models
        self.errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for operation in operations:
            path = self.paths.setdefault(f"/api{operation.path}", {})
            names = re.findall(r"{(\w+)}", operation.path)
            if names:
                path["parameters"] = [_path_parameter(name) for name in names]
            path[operation.method.lower()] = self._operation(operation)

    def _operation(self, operation: Operation) -> Json:
        endpoint = operation.endpoint
        role = operation.permission.value if isinstance(operation.permission, Role) else None
        needs = f"Needs the role `{role}` or higher." if role else ""
        costs = f"Counts as {operation.cost} requests of the rate limit." if operation.cost > 1 else ""
        described: Json = {
            "operationId": endpoint.operation_id,
            "summary": endpoint.summary,
            "description": "\n\n".join(text for text in (endpoint.description, needs, costs) if text),
            "tags": [operation.tag],
            "parameters": [
                *(self._queries[endpoint.query] if endpoint.query else []),
                *([reference("parameters", "IfMatch")] if _takes_if_match(operation) else []),
                *([reference("parameters", "IfNew")] if _may_be_new(operation) else []),
                *([reference("parameters", "IdempotencyKey")] if operation.method == "POST" else []),
                reference("parameters", "XRequestId"),
            ],
            "responses": {
                str(status): _success(operation, status, data)
                for status, data in ((endpoint.status, endpoint.data), *endpoint.other_responses)
            },
            "security": [] if operation.is_open else [{"bearer": []}],
        }
        if endpoint.body is not None:
            name = endpoint.body.__name__
            example = public.EXAMPLES[name] if name in public.EXAMPLES else _example(self.schemas[name])
            content = {"application/json": {"schema": reference("schemas", name), "example": example}}
            described["requestBody"] = {"required": not endpoint.body_is_optional, "content": content}
        if endpoint.uploads:
            content = {
                media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in endpoint.uploads
            }
            described["requestBody"] = {"required": True, "content": content}
        for error in _errors(operation):
            name = f"Uncounted{error.name}" if operation.is_open else error.name
            self.errors[name] = error.component(counted=not operation.is_open)
            described["responses"][error.status] = reference("responses", name)
        return described


def _takes_if_match(operation: Operation) -> bool:
    return operation.method in {"PUT", "DELETE"} or ErrorCode.PRECONDITION_FAILED in operation.endpoint.errors


def _may_be_new(operation: Operation) -> bool:
    """Return whether `If-None-Match: *` is honoured: the operation makes or replaces an object."""
    return _takes_if_match(operation) and bool(operation.endpoint.other_responses)


def _has_etag(operation: Operation, data: Data) -> bool:
    """Return whether a response has an entity tag: a list has one only where a PUT replaces it."""
    item = _item_model(data)
    return isinstance(item, type) and issubclass(item, ETagModel) and (item is data or operation.method == "PUT")


def _success(operation: Operation, status: int, data: Data) -> Json:
    other_media_types = operation.endpoint.other_media_types
    schemas: dict[str, Json]
    if isinstance(data, RawResponse):
        schemas = {media_type: dict(data.schema) for media_type in data.media_types}
    else:
        schemas = {"application/json": _envelope(operation.endpoint, data)}
        schemas |= {media_type: {"type": "string"} for media_type in other_media_types}
    own_headers = (
        *(["ETag"] if _has_etag(operation, data) else []),
        *(["Idempotency-Replayed"] if operation.method == "POST" else []),
        *(["Vary", "Content-Disposition"] if other_media_types else []),
    )
    description = "Created." if status == HTTPStatus.CREATED else "Success."
    return response(description, schemas, *own_headers, counted=not operation.is_open)


def _envelope(endpoint: Endpoint, data: Data) -> Json:
    members: Json = {"success": {"const": True}}
    if data is None:
        # A deletion returns nothing but its message.
        members["message"] = {"type": "string"}
    else:
        item, is_list = reference("schemas", _item_model(data).__name__), get_origin(data) is list
        members["data"] = {"type": "array", "items": item} if is_list else item
        if is_list and endpoint.query is not None and issubclass(endpoint.query, PageQuery):
            members["pagination"] = reference("schemas", "Pagination")
    return {"type": "object", "properties": members, "required": list(members)}


def _model_schemas(operations: Iterable[Operation]) -> dict[str, Json]:
    """Return the schemas of queries, bodies and responses, and of the types in them, by name."""
    methods: dict[type, str] = {}
    models: dict[tuple[Any, JsonSchemaMode], None] = {(Pagination, "serialization"): None}
    for operation in operations:
        end = operation.endpoint
        if end.body is not None and issubclass(end.body, RequestModel):
            methods[end.body] = operation.method
            models[end.body, "validation"] = None
        if end.query is not None:
            models[end.query, "validation"] = None
        for data in (end.data, *(other for _, other in end.other_responses)):
            if data is not None and not isinstance(data, RawResponse):
                models[_item_model(data), "serialization"] = None
    _, generated = models_json_schema(list(models), ref_template=REF_TEMPLATE, schema_generator=_SchemaGenerator)
    schemas: dict[str, Json] = generated["$defs"]
    for schema in schemas.values():
        schema.pop("title", None)
    for model in _subclasses(RequestModel):
        if model in methods:
            schemas[model.__name__] = _body_schema(model, schemas[model.__name__], methods[model])
        elif model.ignored and model.__name__ in schemas:
            schemas[model.__name__]["properties"] |= _ignored_members(model.ignored)
    return schemas


def _example(schema: Json) -> Json:
    """Return the first example of each member that has one."""
    return {name: member["examples"][0] for name, member in schema["properties"].items() if "examples" in member}


def _item_model(data: Any) -> type[ResponseModel]:  # noqa: ANN401 - a model or a list of one
    model: type[ResponseModel] = get_args(data)[0] if get_origin(data) is list else data
    return model


def _subclasses(model: type[RequestModel]) -> Iterator[type[RequestModel]]:
    for subclass in model.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def _errors(operation: Operation) -> Iterator[ErrorResponse]:
    endpoint = operation.endpoint
    yield components.BAD_REQUEST
    if not operation.is_open:
        yield from (components.UNAUTHORIZED, components.FORBIDDEN, components.RATE_LIMITED, components.UNAVAILABLE)
    yield from components.not_found(endpoint.errors)
    if endpoint.body is not None or operation.method == "POST":
        yield components.TOO_LARGE
    if endpoint.body is not None or endpoint.uploads:
        yield components.UNSUPPORTED_TYPE
    if operation.method == "POST" or ErrorCode.CONFLICT in endpoint.errors:
        yield components.CONFLICT
    if _takes_if_match(operation):
        yield components.PRECONDITION_FAILED
    yield components.INTERNAL


def _path_parameter(name: str) -> Json:
    """Describe a parameter of a path. Raises KeyError for an unknown name."""
    described = _OTHER_PATH_PARAMETERS.get(name) or {
        "description": "An id; a malformed one is treated as one that does not exist.",
        "schema": {"type": "string", "minLength": 1},
        "example": f"{IdPrefix[name.removesuffix('_id').upper()].value}_01h455vb4pex5vsknk084sn02q",
    }
    return {"name": name, "in": "path", "required": True, **described}


def _with_spelling(described: Json, other: str) -> Json:
    note = f"`{other}` is another spelling; send one of the two."
    return {**described, "description": f"{described['description']}. {note}" if "description" in described else note}


def _body_schema(model: type[RequestModel], schema: Json, method: str) -> Json:
    """Add the rules of the request parser to pydantic's schema: other spellings, ignored members, partial updates.

    The required id of a parent is documented as the contract spells it, an optional one as responses do.
    """
    required, aliases = schema.pop("required", []), {name: alias for alias, name in model.aliases.items()}
    documented = {name: aliases.get(name, name) if name in required else name for name in schema["properties"]}
    properties: dict[str, Json] = {}
    for name, described in schema["properties"].items():
        if method == "PUT":
            # A member that is left out of a change stays as it is, so no default applies.
            described.pop("default", None)
        other = name if documented[name] != name else aliases.get(name)
        properties[documented[name]] = _with_spelling(described, other) if other else described
    properties |= _ignored_members((READ_ONLY_MEMBERS | model.read_only) - documented.keys())
    needs = {"required": [documented[name] for name in required]} if required else {}
    return {**schema, "properties": properties, "additionalProperties": False, **needs}


def _ignored_members(names: Iterable[str]) -> Json:
    note = {"readOnly": True, "description": "Ignored, so that a response can be edited and sent back."}
    return dict.fromkeys(sorted(names), note)


def _query_parameters(model: type[RequestModel], schema: Json) -> Iterator[Json]:
    """Yield the query parameters of a model, under the contract's spelling."""
    aliases = {name: alias for alias, name in model.aliases.items()}
    for name, described in schema["properties"].items():
        # A query cannot carry null.
        choices = [choice for choice in described.pop("anyOf", []) if choice != {"type": "null"}]
        merged = {**(choices[0] if choices else {}), **described}
        if name == "sort" and issubclass(model, PageQuery):
            names = sorted(model.sortable)
            merged |= {"enum": [*names, *(f"-{field}" for field in names)], "default": model.default_sort}
        if name in aliases:
            merged = _with_spelling(merged, name)
        description = {"description": merged.pop("description")} if "description" in merged else {}
        required = name in schema.get("required", [])
        yield {"name": aliases.get(name, name), "in": "query", "required": required, "schema": merged, **description}
