"""POST /api/onboarding/resolve: the flow for a device (contract, section 4)."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from common.errors import FlowNotFoundError
from common.json_body import convert_object, parse_object
from common.rules.conditions import MAX_NAME_LENGTH
from common.rules.resolution import Choice, Source, evaluate
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import (
    LOCALE,
    MAX_ATTRIBUTE_LENGTH,
    MAX_ATTRIBUTES,
    MAX_DEVICE_ID_LENGTH,
    MAX_FIELD_LENGTH,
    MAX_LOCALE_LENGTH,
    ResolveBody,
)
from common.wire.snapshot import Snapshot
from edge_api.api.request import AuthenticatedProject, RequestContext
from edge_api.api.response import Response, json_response

#: Records the exposure of a device to a choice, with the id of the secret key; best effort, at once, never raises.
RecordExposure = Callable[[Snapshot, ResolveBody, Choice, str], None]

_OVERRIDE = Source.OVERRIDE


class ResolveEndpoint:
    """Chooses the flow and sends the publisher's finished bytes; without `record_exposure` nothing is recorded."""

    def __init__(self, record_exposure: RecordExposure | None, tokens: AssignmentTokens) -> None:
        self._record_exposure = record_exposure
        self._tokens = tokens

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Resolve the device of the body. Raises RequestError."""
        return self.resolve(project, read_resolve_body(request.body))

    def resolve(self, project: AuthenticatedProject, device: ResolveBody) -> Response:
        """Return the response for a device. Raises FlowNotFoundError when no rule has a flow for it."""
        loaded = project.snapshot
        snapshot = loaded.snapshot
        token = device.assignment_token
        kept = None if token is None else self._tokens.read(snapshot.project_id, device.device_id, token)
        # Two calls fewer than with properties: nearly all requests find both prepared.
        answers = loaded.prepared or loaded.answers
        choice = evaluate(answers.rules, device, kept)
        if choice is None:
            raise FlowNotFoundError.nothing_to_resolve()
        record = self._record_exposure
        # A device that an override serves belongs to a tester, not to a user.
        if record is not None and snapshot.analytics_enabled and choice.source is not _OVERRIDE:
            record(snapshot, device, choice, project.key_id)
        locales = answers.locales
        bodies = answers if locales is None else answers.in_locale(locales.match(device.locale))
        assignment = choice.assignment
        if assignment is None:
            return bodies.responses.get(choice) or bodies.response(choice)
        part, head, tail = bodies.variant_responses.get(choice) or bodies.variant_response(choice)
        # Issued again for a device that has a token, so that a new signing key takes over.
        issued = self._tokens.issue(snapshot.project_id, device.device_id, assignment)
        return json_response(200, part, b"".join((head, issued, tail)))


class _PlainBody(ResolveBody, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The body without its patterns, which take most of the time; :func:`read_resolve_body` checks what they would."""

    device_id: Annotated[str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH)]
    app_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    os_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    locale: Annotated[str, Meta(max_length=MAX_LOCALE_LENGTH)] | None = None
    country: Annotated[str, Meta(min_length=2, max_length=2)] | None = None
    attributes: Annotated[dict[str, str | bool | int | float], Meta(max_length=MAX_ATTRIBUTES)] | None = None


class _LenientBody(_PlainBody, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=False):
    """The same with members that the edge does not know."""


_BACKSLASH, _SPACE = b"\\ "
_DECODER = msgspec.json.Decoder(_PlainBody)
_LENIENT_DECODER = msgspec.json.Decoder(_LenientBody)
_INT64 = 1 << 63
#: The tags of a crowd of devices. Each is at most 64 characters long.
_is_locale = lru_cache(maxsize=1000)(lambda tag: LOCALE.fullmatch(tag) is not None)


def read_resolve_body(body: bytes) -> ResolveBody:
    """Read the body. Raises MalformedBodyError and InvalidRequestError, which name every bad field.

    Nearly all bodies take one typed decode. Only a body that is rejected there, or may be accepted wrongly, is
    validated completely.
    """
    # Without a backslash there are no control characters and no lone surrogates.
    if _BACKSLASH not in body:
        device: _PlainBody | None
        try:
            device = _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            device = _read_leniently(body)
        if device is not None:
            locale, country, attributes = device.locale, device.country, device.attributes
            # No pattern rejects the body, and no string has white space that would be trimmed.
            if (
                (locale is None or _is_locale(locale))
                and (country is None or (country.isascii() and country.isalpha()))
                and ((_SPACE not in body and body.isascii()) or _is_trimmed(device))
                and (attributes is None or _are_attributes(attributes))
            ):
                return device
    return convert_object(parse_object(body), ResolveBody)


def _read_leniently(body: bytes) -> _PlainBody | None:
    """Return a body with unknown members, which are ignored but must be valid JSON; None for a bad member."""
    parse_object(body)
    try:
        return _LENIENT_DECODER.decode(body)
    except msgspec.ValidationError:
        return None


def _is_trimmed(device: _PlainBody) -> bool:
    texts = (device.device_id, device.app_version, device.os_version, device.assignment_token)
    return all(text is None or text == text.strip() for text in texts)


def _are_attributes(attributes: Mapping[str, str | bool | int | float]) -> bool:
    for name, value in attributes.items():
        if not 0 < len(name) <= MAX_NAME_LENGTH:
            return False
        if type(value) is str:
            if len(value) > MAX_ATTRIBUTE_LENGTH:
                return False
        elif type(value) is int and not -_INT64 <= value < _INT64:
            # The complete validation makes it a float.
            return False
    return True
