"""The paths of hosted pages on the edge: documents for web views, with HTML errors, and the calls of published SDKs."""

from collections.abc import Sequence

from common.errors import ErrorCode
from common.media_names import MEDIA_TYPES
from common.text import text_pattern
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH, ResolveBody
from edge_api.api.routes import ASSET, GLOBAL_CONFIG, MEDIA, PAGE, PREVIEW, TICKET_EVENTS, TICKET_RESOLVE
from tools.openapi import components
from tools.openapi.components import ErrorResponse, Json, reference, response

TAGS = {
    "pages": "Flows as web pages, on the edge. The ticket in a path stands for a secret key: it is valid for 7 days, "
    "and ends with its key. Keep these addresses as secret as the key. Errors of pages are HTML."
}
SCHEMAS: Json = {
    "GlobalConfig": {
        "type": "object",
        "description": "The address in front of the paths of published SDKs.",
        "properties": {"backendDomain": {"type": "string", "pattern": "^https?://[^ ]+/s/[A-Za-z0-9_-]+$"}},
        "required": ["backendDomain"],
    }
}
_CALLS = (components.BAD_REQUEST, components.UNAUTHORIZED, components.RATE_LIMITED)
_FAILURES = (components.INTERNAL, components.UNAVAILABLE)
_TICKET = "The ticket, from `GET /api/global-config`, or of a preview link."
_VERSIONED = ("X-Config-Version",)
_TEXT: Json = {"type": "string"}
_BINARY: Json = {"type": "string", "format": "binary"}


def hosted_pages_paths(errors: dict[str, Json], events: Json, servers: list[Json]) -> dict[str, Json]:
    """Return the paths. `events` is the operation of batches; error responses in use are added to `errors`."""

    def operation(
        operation_id: str, summary: str, description: str, parameters: Sequence[Json], responses: Json, **body: Json
    ) -> Json:
        return {
            "operationId": operation_id,
            "summary": summary,
            "description": description,
            "tags": ["sdk", *TAGS],
            "servers": servers,
            "security": [],
            "parameters": [*parameters, reference("parameters", "XRequestId")],
            **body,
            "responses": responses,
        }

    def call_errors(*responses: ErrorResponse) -> Json:
        for error in responses:
            errors[f"Public{error.name}"] = error.component(counted=True, headers=_VERSIONED)
        return {error.status: reference("responses", f"Public{error.name}") for error in responses}

    global_config = operation(
        "get_global_config",
        "Find the address of flows and pages",
        "For SDKs that have the credentials in the address. The response has the address below which they resolve, "
        "show pages and send events, with a new ticket. It is the project's `custom_domain`, else the public URL of "
        "the installation, else the origin of the request.",
        [_in_query("apiKey", "A secret key of the project."), _in_query("projectId", "The project's id.")],
        {"200": _json("GlobalConfig", *_VERSIONED, "Cache-Control"), **call_errors(*_CALLS, *_FAILURES)},
    )
    resolve = operation(
        "resolve_flow_by_ticket",
        "Resolve the flow of a device by a ticket",
        "The response of `resolve_flow`, with the members of its body as parameters. Without `platform` a User-Agent "
        "that is unmistakably iOS or Android decides, without `locale` the first tag of `Accept-Language`. 401 for a "
        "ticket of another project.",
        [
            _in_path("ticket", _TICKET),
            _in_query("projectId", "The project's id.", pattern=r"\S"),
            _in_query("deviceId", "The device's own id.", pattern=text_pattern(1, MAX_DEVICE_ID_LENGTH)),
            *_VALIDATED_CONTEXT,
        ],
        {
            "200": _json("Resolution", *_VERSIONED),
            **call_errors(*_CALLS, *_FAILURES, *components.not_found([ErrorCode.INVALID_FLOW])),
        },
    )
    page = operation(
        "get_page",
        "Show a flow as a page",
        "All screens are in it: the number is the screen to begin with. Any flow that is not archived is shown; a QA "
        "device whose entry says `draft` gets the draft. 503 while the pages are being prepared.",
        [
            _in_path("ticket", _TICKET),
            _in_path("flow_id", "The flow's id."),
            _in_path("number", "The number of a screen, from 1."),
            _in_query("deviceId", "The device's own id.", required=False),
            *_CONTEXT,
            _in_query("stored", "`1` for one document without links to assets, which an app keeps.", required=False),
        ],
        {"200": _html("The page.", *_VERSIONED, "Vary", "Cache-Control"), **_html_errors(counted=True)},
    )
    preview = operation(
        "get_preview_shell",
        "Load the shell of previews",
        "For a frame in the dashboard, which sends it the document of a flow. It is not counted, and records nothing.",
        [],
        {"200": _html("The shell.", "Cache-Control", counted=False), **_html_errors(counted=False)},
    )
    asset = operation(
        "get_page_asset",
        "Load an asset of pages",
        "A script, a style sheet or an image, by a name with the hash of its content. It never changes, and is not "
        "counted.",
        [_in_path("asset", "`{name}.{hash}.js`, `.css` or `.svg`.")],
        {
            "200": response(
                "The asset, compressed by `Accept-Encoding`.",
                dict.fromkeys(("text/javascript", "text/css", "image/svg+xml"), _TEXT),
                "Cache-Control",
                "Vary",
                counted=False,
            ),
            **_html_errors(counted=False),
        },
    )
    media = operation(
        "get_media_file",
        "Load a media file",
        "A picture, an animation, a video or a font, by its `url` from the media library. It never changes. Ranges are "
        "served, `If-None-Match` and `If-Range` are honoured. Only a 404 is counted, by the address of the client.",
        [_in_path("project_id", "The project's id."), _in_path("name", "`{32 hexadecimal digits}.{extension}`.")],
        {
            "200": _file("The file."),
            "206": _file("The bytes of the range.", "Content-Range"),
            "304": _file("The client has the file.", has_body=False),
            "416": _file("The range has no byte of the file.", "Content-Range", has_body=False),
            **call_errors(components.BAD_REQUEST, *components.not_found([ErrorCode.NOT_FOUND]), *_FAILURES),
            **call_errors(components.RATE_LIMITED),
        },
    )
    by_ticket = operation(
        "track_events_by_ticket",
        "Send up to 500 analytics events by a ticket",
        "As `track_events`, but the service finds `experimentId` and `variant` by the rules of the project and the "
        "context in the query, of which an invalid member counts as absent. The link to a preview gives no access.",
        [_in_path("ticket", _TICKET), *_CONTEXT],
        events["responses"],
        requestBody=events["requestBody"],
    )
    return {
        GLOBAL_CONFIG.path: {"get": global_config},
        TICKET_RESOLVE.path: {"get": resolve},
        PAGE.path: {"get": page},
        TICKET_EVENTS.path: {"post": by_ticket},
        ASSET.path: {"get": asset},
        MEDIA.path: {"get": media},
        PREVIEW.path: {"get": preview},
    }


def _in_path(name: str, description: str) -> Json:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": {"type": "string"}}


def _in_query(name: str, description: str, *, required: bool = True, pattern: str | None = None) -> Json:
    schema = {"type": "string"} if pattern is None else {"type": "string", "pattern": pattern}
    return {"name": name, "in": "query", "required": required, "description": description, "schema": schema}


def _json(schema: str, *headers: str) -> Json:
    return response("Success.", {"application/json": reference("schemas", schema)}, *headers)


def _file(description: str, *headers: str, has_body: bool = True) -> Json:
    names = ("Cache-Control", "ETag", "Accept-Ranges", "Cross-Origin-Resource-Policy", *headers)
    # An animation is JSON.
    schemas = {kind: {} if kind == "application/json" else _BINARY for kind in MEDIA_TYPES.values()} if has_body else {}
    return response(description, schemas, *names, counted=False)


def _html(description: str, *headers: str, counted: bool = True) -> Json:
    return response(
        description, {"text/html": _TEXT}, "Content-Security-Policy", "Referrer-Policy", *headers, counted=counted
    )


def _html_errors(*, counted: bool) -> Json:
    """Return the errors of pages, which have a text and a button to close the page."""
    described: dict[str, tuple[str, Sequence[str]]] = {
        "400": ("The address is malformed.", ()),
        "404": ("There is no such page.", ()),
        "500": ("A defect of the service.", ()),
        "503": ("The page cannot be shown now, or is not ready yet.", ("Retry-After",)),
    }
    if counted:
        described["401"] = ("The ticket is not valid, or has expired.", ("WWW-Authenticate",))
        described["429"] = ("Too many requests in this hour.", ("Retry-After",))
    versioned = _VERSIONED if counted else ()
    return {
        status: _html(description, "Cache-Control", *headers, *versioned, counted=counted)
        for status, (description, headers) in sorted(described.items())
    }


def _validated(name: str, description: str) -> Json:
    """Return a parameter with the form of a member of a resolve's body."""
    schema = {"$ref": f"#/components/schemas/{ResolveBody.__name__}/properties/{name}/anyOf/0"}
    parameter: Json = {"name": name, "in": "query", "required": False, "description": description}
    return parameter | ({"content": {"application/json": {"schema": schema}}} if name == _JSON else {"schema": schema})


_JSON = "attributes"
_CONTEXT_MEMBERS = {
    "platform": "`ios` or `android`.",
    "appVersion": "The version of the app.",
    "osVersion": "The version of the operating system.",
    "locale": "A BCP 47 language tag. The page takes its language from it.",
    "country": "An ISO 3166-1 alpha-2 code.",
    _JSON: "A flat object as JSON.",
    "assignmentToken": "The token of a former resolve, which keeps the device in its variant.",
}
#: For paths that take an invalid member as absent.
_CONTEXT = [_in_query(name, description, required=False) for name, description in _CONTEXT_MEMBERS.items()]
_VALIDATED_CONTEXT = [_validated(name, description) for name, description in _CONTEXT_MEMBERS.items()]
