"""The headers of requests and responses that many operations share (contract, sections 1, 3 and 4)."""

from tools.openapi.json_types import Json, reference

_COUNT: Json = {"type": "integer", "minimum": 0}
_TAG_LIST = r'^(?:W/)?"[\x21\x23-\x7e]*"(?:[ \t]*,[ \t]*(?:W/)?"[\x21\x23-\x7e]*")*$'
_TAG: Json = {"type": "string", "pattern": '^"[^"]+"$', "examples": ['"0b6c1d2f3a4e5f60"']}

RESPONSE_HEADERS: Json = {
    "X-Request-Id": {
        "description": "The name of this request in our logs: yours, if you sent a sane one.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    },
    "X-Content-Type-Options": {"required": True, "schema": {"const": "nosniff"}},
    "X-RateLimit-Limit": {
        "description": "How many requests an hour allows, by the UTC hour. Absent where nothing is counted.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "X-RateLimit-Remaining": {
        "description": "How many of them are left.",
        "schema": _COUNT,
    },
    "X-RateLimit-Reset": {
        "description": "When the window ends, in Unix seconds.",
        "schema": _COUNT,
    },
    "X-Config-Version": {
        "description": "The revision of the project's configuration that was used; it never goes backwards.",
        "schema": _COUNT,
    },
    "ETag": {
        "description": "A strong tag of this state of the resource. Send it back as `If-Match` to change just this.",
        "required": True,
        "schema": _TAG,
    },
    "Idempotency-Replayed": {
        "description": "Present when this is the stored answer to an earlier request with the same `Idempotency-Key`.",
        "schema": {"const": "true"},
    },
    "WWW-Authenticate": {
        "description": "The scheme by which to authenticate.",
        "required": True,
        "schema": {"enum": ['Bearer realm="onboarding"', 'SecretKey realm="onboarding"']},
    },
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "Cache-Control": {"required": True, "schema": {"type": "string"}},
    "Vary": {"required": True, "schema": {"type": "string"}},
}

PARAMETERS: Json = {
    "XRequestId": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "A name for this request; one of other than these characters is replaced.",
        "schema": {"type": "string"},
        "example": "checkout-42",
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` (or several, or `*`) that the resource must have; otherwise 412, nothing changed.",
        "schema": {"anyOf": [{"const": "*"}, {"type": "string", "pattern": _TAG_LIST}]},
        "example": '"0b6c1d2f3a4e5f60"',
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Any text of yours. For 24 hours the same key of the same user, with the same request, gives the same "
            "answer, and nothing is made twice. With another request it is a 409."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
        "example": "3f1c9a52-order-7",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` that you have; when it is still current, the answer is 304 without a body.",
        "schema": {"type": "string"},
        "example": '"0b6c1d2f3a4e5f60"',
    },
}

RATE_LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def response_headers(*names: str, counted: bool = True) -> Json:
    """Give references to the headers of a response: those of every one, and the named ones."""
    always = ("X-Request-Id", "X-Content-Type-Options", *(RATE_LIMITS if counted else ()))
    return {name: reference("headers", name) for name in (*always, *names)}
