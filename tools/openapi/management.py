"""The paths and schemas of the management service, from its routes, their declarations and models."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args, get_origin

from pydantic import SecretStr
from pydantic.json_schema import models_json_schema

from common.errors import ErrorCode
from common.ids import IdPrefix
from common.rules.assignment_tokens import AssignmentTokens
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Role
from management_api.http.pagination import PageQuery
from management_api.http.requests import READ_ONLY_MEMBERS, RequestModel
from management_api.http.responses import ETagModel, Pagination, RawResponse
from management_api.http.routes import api_routes, documentation_routes
from management_api.http.routing import Access, Endpoint, Permission
from management_api.projects.quotas import Quotas
from tools.openapi import components, public
from tools.openapi.components import REF_TEMPLATE, ErrorResponse, Json, reference, response_headers

#: The tag of a path is its first word, or the word behind a project's id.
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
_BY_CODE = {ErrorCode.CONFLICT: components.CONFLICT, ErrorCode.UNAVAILABLE: components.UNAVAILABLE}
_PATH_PARAMETER = re.compile(r"{(\w+)}")
#: Falcon's `{device_id:path}` is `{device_id}` in the document.
_CONVERTER = re.compile(r":\w+(?=})")
_INTERNAL_NOTES = re.compile(r" \((?:contract|interface), section[^)]*\)")
_OTHER_PATH_PARAMETERS: Mapping[str, Json] = {
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
    endpoint: Endpoint

    @property
    def is_open(self) -> bool:
        """Whether it needs no credential; then it has no rate limit either."""
        return self.permission is Access.OPEN

    @property
    def returns_etag(self) -> bool:
        """Whether the response carries an ETag."""
        return isinstance(self.endpoint.data, type) and issubclass(self.endpoint.data, ETagModel)

    @property
    def takes_if_match(self) -> bool:
        """Whether `If-Match` can reject it."""
        return self.method in {"PUT", "DELETE"}

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether it happens once for one `Idempotency-Key`."""
        return self.method == "POST"


def interface_operations() -> Iterator[Operation]:
    """Yield every method of every route; the resources connect to nothing before a request."""
    database = Database(DatabaseSettings(database_url=SecretStr("postgresql://nobody@nowhere/none")))
    quotas = Quotas(*[1] * len(fields(Quotas)))
    vault, assignments = KeyVault(SecretStr("A" * 43 + "=")), AssignmentTokens([b""])
    for route in (*api_routes(database, vault, quotas, assignments), *documentation_routes()):
        for method, permission in route.permissions.items():
            yield Operation(method, _CONVERTER.sub("", route.path), permission, route.endpoint(method))


class ManagementPart:
    """The part of the document that comes from the routes: paths, schemas and the error responses in use."""

    def __init__(self) -> None:
        self._operations = list(interface_operations())
        self._names: dict[Any, str] = {}
        self.schemas = self._model_schemas()
        self.errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for operation in self._operations:
            path = self.paths.setdefault(f"/api{operation.path}", {})
            names = _PATH_PARAMETER.findall(operation.path)
            if names:
                path["parameters"] = [_path_parameter(name) for name in names]
            path[operation.method.lower()] = self._operation(operation)

    def _model_schemas(self) -> dict[str, Json]:
        methods = {operation.endpoint: operation.method for operation in self._operations}
        bodies = {
            end.body: method for end, method in methods.items() if end.body and issubclass(end.body, RequestModel)
        }
        shown = [_item_model(end.data) for end in methods if end.data and not isinstance(end.data, RawResponse)]
        inputs: list[Any] = [(model, "validation") for model in bodies]
        outputs: list[Any] = [(model, "serialization") for model in dict.fromkeys([*shown, Pagination])]
        references, generated = models_json_schema([*inputs, *outputs], ref_template=REF_TEMPLATE)
        schemas: dict[str, Json] = generated["$defs"]
        self._names = {model: pointer["$ref"].rpartition("/")[2] for (model, _), pointer in references.items()}
        for model, method in bodies.items():
            schemas[self._names[model]] = _body_schema(model, schemas[self._names[model]], method)
        for model in _subclasses(RequestModel):
            if model.__name__ in schemas and model.ignored:
                schemas[model.__name__]["properties"] |= _ignored_members(model.ignored)
        return {name: _tidied(schema) for name, schema in schemas.items()}

    def _operation(self, operation: Operation) -> Json:
        endpoint = operation.endpoint
        role = operation.permission.value if isinstance(operation.permission, Role) else None
        needs = f"Needs the role `{role}` or higher." if role else ""
        described: Json = {
            "operationId": endpoint.operation_id,
            "summary": endpoint.summary,
            "description": "\n\n".join(text for text in (endpoint.description, needs) if text),
            "tags": [_tag(operation.path)],
            "parameters": [
                *(_query_parameters(endpoint.query) if endpoint.query else []),
                *([reference("parameters", "IfMatch")] if operation.takes_if_match else []),
                *([reference("parameters", "IdempotencyKey")] if operation.takes_idempotency_key else []),
                reference("parameters", "XRequestId"),
            ],
            "responses": {str(endpoint.status): self._success(operation)},
        }
        if endpoint.body is not None:
            # A body of the public interface keeps its name from there.
            schema = reference("schemas", self._names.get(endpoint.body, endpoint.body.__name__))
            content = {"schema": schema, "example": _example(endpoint.body)}
            described["requestBody"] = {
                "required": not endpoint.body_is_optional,
                "content": {"application/json": content},
            }
        described["security"] = [] if operation.is_open else [{"bearer": []}]
        for error in _errors(operation):
            name = f"Uncounted{error.name}" if operation.is_open else error.name
            self.errors[name] = error.component(counted=not operation.is_open)
            described["responses"][error.status] = reference("responses", name)
        return described

    def _success(self, operation: Operation) -> Json:
        endpoint = operation.endpoint
        if isinstance(endpoint.data, RawResponse):
            content = {media_type: {"schema": dict(endpoint.data.schema)} for media_type in endpoint.data.media_types}
        else:
            content = {
                "application/json": {"schema": self._envelope(endpoint)},
                **{media_type: {"schema": {"type": "string"}} for media_type in endpoint.other_media_types},
            }
        own_headers = (
            *(["ETag"] if operation.returns_etag else []),
            *(["Idempotency-Replayed"] if operation.takes_idempotency_key else []),
        )
        return {
            "description": "Created." if endpoint.status == 201 else "Success.",  # noqa: PLR2004 - Created
            "headers": response_headers(*own_headers, counted=not operation.is_open),
            "content": content,
        }

    def _envelope(self, endpoint: Endpoint) -> Json:
        members: Json = {"success": {"const": True}}
        if endpoint.data is None:
            # A deletion returns nothing but its message.
            members["message"] = {"type": "string"}
        else:
            item = reference("schemas", self._names[_item_model(endpoint.data)])
            is_list = get_origin(endpoint.data) is list
            members["data"] = {"type": "array", "items": item} if is_list else item
            if is_list and endpoint.query is not None and issubclass(endpoint.query, PageQuery):
                members["pagination"] = reference("schemas", "Pagination")
        return {"type": "object", "properties": members, "required": list(members)}


def _item_model(data: Any) -> Any:  # noqa: ANN401 - a model or a list of one
    return get_args(data)[0] if get_origin(data) is list else data


def _subclasses(model: type[RequestModel]) -> Iterator[type[RequestModel]]:
    for subclass in model.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def _tag(path: str) -> str:
    words = path.strip("/").split("/")
    last = words[2] if words[0] == "projects" and len(words) > 2 else words[0]  # noqa: PLR2004 - /projects/{id}/word
    known = _TAG_OF.get(last, last)
    return known if known in TAGS else words[0]


def _errors(operation: Operation) -> Iterator[ErrorResponse]:
    endpoint = operation.endpoint
    yield components.BAD_REQUEST
    if not operation.is_open:
        yield from (components.UNAUTHORIZED, components.FORBIDDEN, components.RATE_LIMITED, components.UNAVAILABLE)
    yield from components.not_found(endpoint.errors)
    if endpoint.body is not None or operation.takes_idempotency_key:
        yield components.TOO_LARGE
    if endpoint.body is not None:
        yield components.UNSUPPORTED_TYPE
    if operation.takes_idempotency_key and ErrorCode.CONFLICT not in endpoint.errors:
        yield components.CONFLICT
    if operation.takes_if_match:
        yield components.PRECONDITION_FAILED
    yield from (_BY_CODE[code] for code in endpoint.errors if code in _BY_CODE)
    yield components.INTERNAL


def _path_parameter(name: str) -> Json:
    """Describe a parameter of a path. Raises KeyError for an unknown name."""
    described = _OTHER_PATH_PARAMETERS.get(name) or {
        "description": "An id; a malformed one is treated as one that does not exist.",
        "schema": {"type": "string", "minLength": 1},
        "example": f"{IdPrefix[name.removesuffix('_id').upper()].value}_01h455vb4pex5vsknk084sn02q",
    }
    return {"name": name, "in": "path", "required": True, **described}


def _body_schema(model: type[RequestModel], schema: Json, method: str) -> Json:
    """Add the rules of our own parsing to pydantic's schema: other spellings, ignored members, partial updates."""
    properties = dict(schema["properties"])
    required = list(schema.get("required", []))
    rules: list[Json] = []
    for other, name in model.aliases.items():
        properties[other] = {**properties[name], "description": f"Another spelling of `{name}`; send one of the two."}
        if name in required:
            required.remove(name)
            rules.append({"oneOf": [{"required": [name]}, {"required": [other]}]})
        else:
            rules.append({"not": {"required": [name, other]}})
    properties |= _ignored_members((READ_ONLY_MEMBERS | model.read_only) - properties.keys())
    if method == "PUT":
        # A member that is left out of a change stays as it is, so no default applies.
        properties = {
            name: {key: part for key, part in described.items() if key != "default"}
            for name, described in properties.items()
        }
    completed = {**schema, "properties": properties, "additionalProperties": False}
    completed.pop("required", None)
    return completed | ({"required": required} if required else {}) | ({"allOf": rules} if rules else {})


def _example(model: type) -> Json:
    """Return the first example of each field that has one, under the contract's spelling."""
    if not issubclass(model, RequestModel):
        return public.EXAMPLES[model.__name__]
    names = {name: other for other, name in model.aliases.items()}
    return {names.get(name, name): field.examples[0] for name, field in model.model_fields.items() if field.examples}


def _ignored_members(names: Iterable[str]) -> Json:
    note = {"readOnly": True, "description": "Ignored: what was read may be sent back as it is."}
    return dict.fromkeys(sorted(names), note)


def _query_parameters(model: type[RequestModel]) -> Iterator[Json]:
    """Yield the query parameters of a model; their schemas refer to no component."""
    schema = model.model_json_schema(mode="validation", ref_template=REF_TEMPLATE)
    if issubclass(model, PageQuery):
        names = sorted(model.sortable)
        schema["properties"]["sort"] = {
            "type": "string",
            "enum": [*names, *(f"-{name}" for name in names)],
            "default": model.default_sort,
            "description": "The field to sort by; a leading - means descending. Ties are broken by id",
        }
    aliases = {name: other for other, name in model.aliases.items()}
    for name, described in schema["properties"].items():
        shown = _without_null(_tidied(described, schema.get("$defs", {})))
        description = shown.pop("description", "")
        if name in aliases:
            note = f"`{name}` is another spelling of this parameter; send one of the two."
            description = f"{description}. {note}" if description else note
        yield {
            "name": aliases.get(name, name),
            "in": "query",
            "required": name in schema.get("required", []),
            "schema": shown,
        } | ({"description": description} if description else {})


def _without_null(schema: Json) -> Json:
    """Remove null, which a query cannot carry."""
    kept = {key: part for key, part in schema.items() if not (key == "default" and part is None)}
    choices = [choice for choice in kept.pop("anyOf", []) if choice.get("type") != "null"]
    return {**choices[0], **kept} if len(choices) == 1 else kept | ({"anyOf": choices} if choices else {})


def _tidied(part: Any, inlined: Mapping[str, Json] = {}) -> Any:  # noqa: ANN401 - any JSON; never changed
    """Remove titles and references to internal documents; replace references to definitions in `inlined`."""
    if isinstance(part, list):
        return [_tidied(item, inlined) for item in part]
    if not isinstance(part, dict):
        return part
    definition = inlined.get(str(part.get("$ref")).rpartition("/")[2])
    if definition is not None:
        part = {**definition, **{key: value for key, value in part.items() if key != "$ref"}}
    kept = {key: value for key, value in part.items() if not (key == "title" and isinstance(value, str))}
    if isinstance(kept.get("description"), str):
        kept["description"] = _INTERNAL_NOTES.sub("", kept["description"])
    return {key: value if key == "examples" else _tidied(value, inlined) for key, value in kept.items()}
