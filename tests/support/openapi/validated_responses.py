"""Validation of responses against the OpenAPI document: status, headers, media type, body."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import orjson
from jsonschema_rs import Draft202012Validator

from edge_api.api.routes import is_page
from tests.support.openapi.document import closed, committed_bytes, operations_of, resolved
from tools.openapi.components import RATE_LIMITS

_PARAMETER = re.compile(r"{\w+}")
#: Headers that a response may have only where the document describes them.
_RESTRICTED_HEADERS = {
    "etag",
    "idempotency-replayed",
    "retry-after",
    "www-authenticate",
    "x-config-version",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
}
_ERROR = {"$ref": "#/components/schemas/Error"}
_DERIVED_METHODS = {"HEAD": "get", "OPTIONS": "options"}


@dataclass(frozen=True)
class Seen:
    """A response; the names of headers are in lower case."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path[:200]} -> {self.status} {dict(self.headers)} {self.body[:1000]!r}"


class OpenApiValidatedResponses:
    """Validates responses by the document: of the edge's paths (`sdk`), of all others, or (None) of both."""

    def __init__(self, *, sdk: bool | None) -> None:
        self._document: dict[str, Any] = closed(orjson.loads(committed_bytes()))
        self._components = {"components": self._document["components"]}
        self._validators: dict[int, Draft202012Validator] = {}
        self._operations: dict[str, dict[str, dict[str, Any]]] = {}
        for path, method, operation in operations_of(self._document):
            if sdk is None or path.startswith("/health/") or ("sdk" in operation["tags"]) is sdk:
                self._operations.setdefault(path, {})[method] = operation
        self._patterns = [(_pattern(path), path) for path in self._operations]

    def check(self, seen: Seen) -> None:
        """Raise AssertionError when the document does not describe this response."""
        methods = self._methods_at(unquote(seen.path, errors="replace"))
        method = _DERIVED_METHODS.get(seen.method, seen.method.lower())
        if method not in (methods or {}) and seen.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._check_refusal(seen, 429, "RATE_LIMITED")
        elif methods is None:
            self._check_refusal(seen, 404, "NOT_FOUND")
        elif method == "options":
            assert (seen.status, seen.body) == (204, b""), seen
            assert seen.headers["allow"], seen
        elif method not in methods:
            self._check_refusal(seen, 405, "METHOD_NOT_ALLOWED")
            assert seen.headers["allow"], seen
        else:
            self._check_described(seen, methods[method])

    def _methods_at(self, path: str) -> dict[str, dict[str, Any]] | None:
        exact = self._operations.get(path)
        if exact is not None:
            return exact
        # Two paths match the export of a device: DELETE takes its ending for a part of the device's own id.
        matching = [self._operations[known] for pattern, known in self._patterns if pattern.fullmatch(path)]
        return {method: operation for methods in matching for method, operation in methods.items()} or None

    def _check_refusal(self, seen: Seen, status: int, code: str) -> None:
        assert seen.status == status, seen
        if is_page(unquote(seen.path, errors="replace")):
            assert seen.headers["content-type"] == "text/html; charset=utf-8", seen
            return
        if seen.method != "HEAD":
            self._check_body(seen, _ERROR)
            assert orjson.loads(seen.body)["code"] == code, seen

    def _check_described(self, seen: Seen, operation: dict[str, Any]) -> None:
        assert str(seen.status) in operation["responses"], f"undocumented status: {seen}"
        response = resolved(self._document, operation["responses"][str(seen.status)])
        self._check_headers(seen, response.get("headers", {}))
        content = response.get("content")
        if content is None:
            assert seen.body == b"", seen
            return
        media_type = seen.headers.get("content-type", "").partition(";")[0].strip()
        assert media_type in content, f"undocumented media type: {seen}"
        if seen.method != "HEAD" and media_type == "application/json":
            self._check_body(seen, content[media_type]["schema"])

    def _check_headers(self, seen: Seen, described: dict[str, Any]) -> None:
        names = {name.lower() for name in described}
        assert not (seen.headers.keys() & _RESTRICTED_HEADERS) - names, f"undocumented header: {seen}"
        for name, reference in described.items():
            header = resolved(self._document, reference)
            value = seen.headers.get(name.lower())
            # Rate limits are optional for an operator, and always on in the tests.
            is_optional = not header.get("required") and name not in RATE_LIMITS
            assert value is not None or is_optional, f"{name} is missing: {seen}"
            if value is not None:
                read = int(value) if header["schema"].get("type") == "integer" else value
                self._validate(seen, header["schema"], read)

    def _check_body(self, seen: Seen, schema: dict[str, Any]) -> None:
        self._validate(seen, schema, orjson.loads(seen.body))

    def _validate(self, seen: Seen, schema: dict[str, Any], value: Any) -> None:  # noqa: ANN401 - any JSON
        # The schemas live as long as this object, so their ids are unique.
        validator = self._validators.get(id(schema))
        if validator is None:
            validator = Draft202012Validator({**self._components, **schema}, validate_formats=True)
            self._validators[id(schema)] = validator
        problems = [f"{list(error.instance_path)}: {error.message}" for error in validator.iter_errors(value)]
        assert not problems, f"{problems[:3]} in {seen}"


@cache
def openapi_validated_responses(*, sdk: bool | None) -> OpenApiValidatedResponses:
    """Return the cached validation of one service, or of both."""
    return OpenApiValidatedResponses(sdk=sdk)


def _pattern(path: str) -> re.Pattern[str]:
    unversioned = path.replace("/api/", "/api/(?:v1/)?", 1)
    # A device's own id may have slashes, which its client percent-encodes.
    with_ids = unversioned.replace(".", r"\.").replace("{device_id}", ".+")
    return re.compile(_PARAMETER.sub("[^/]+", with_ids), re.DOTALL)
