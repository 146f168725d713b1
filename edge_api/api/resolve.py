"""POST /api/onboarding/resolve: the flow for a device (contract, section 4)."""

from collections.abc import Callable
from itertools import product
from string import ascii_letters
from typing import Annotated

import msgspec
from msgspec import Meta

from common.errors import FlowNotFoundError
from common.json_body import convert_object, parse_object
from common.rules.assignment_tokens import AssignmentTokens
from common.rules.resolution import Choice, Rule, evaluate
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH, MAX_FIELD_LENGTH, SINGLE_BODY_BYTES, ResolveBody
from common.wire.snapshot import Snapshot
from edge_api.api.request import AuthenticatedProject, Headers
from edge_api.api.response import Response, json_response

#: Records the exposure of a device to a choice, with the id of the secret key; best effort, at once, never raises.
RecordExposure = Callable[[Snapshot, ResolveBody, Choice, str], None]

_OVERRIDE = Rule.OVERRIDE


class ResolveEndpoint:
    """Chooses the flow and sends the publisher's finished bytes; without `record_exposure` nothing is recorded."""

    methods = ("POST",)
    body_limit = SINGLE_BODY_BYTES

    def __init__(self, record_exposure: RecordExposure | None, tokens: AssignmentTokens) -> None:
        self._record_exposure = record_exposure
        self._tokens = tokens

    def handle(self, project: AuthenticatedProject, _headers: Headers, body: bytes) -> Response:
        """Resolve the device of the body. Raises RequestError, FlowNotFoundError when no rule has a flow for it."""
        device = read_resolve_body(body)
        loaded = project.snapshot
        snapshot = loaded.snapshot
        token = device.assignment_token
        kept = None if token is None else self._tokens.read(snapshot.project_id, device.device_id, token)
        chosen = evaluate(loaded.rules, device, kept)
        if chosen is None:
            raise FlowNotFoundError.nothing_to_resolve()
        rule, _, choice = chosen
        record = self._record_exposure
        # A device that an override serves belongs to a tester, not to a user.
        if record is not None and snapshot.analytics_enabled and rule is not _OVERRIDE:
            record(snapshot, device, choice, project.key_id)
        assignment = choice.assignment
        if assignment is None:
            return loaded.responses[choice]
        head, tail = loaded.variant_responses[choice]
        # Issued again for a device that has a token, so that a new signing key takes over.
        issued = self._tokens.issue(snapshot.project_id, device.device_id, assignment)
        return json_response(200, b"".join((head, issued, tail)))


class _PlainBody(ResolveBody, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The body without its patterns, which take most of the time: no backslash means no control characters."""

    device_id: Annotated[str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH)]
    app_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    os_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    locale: str | None = None
    country: str | None = None

    def is_trimmed(self) -> bool:
        """Return whether the members that would be trimmed have no white space around them."""
        return (
            self.device_id == self.device_id.strip()
            and (self.app_version is None or self.app_version == self.app_version.strip())
            and (self.os_version is None or self.os_version == self.os_version.strip())
            and (self.assignment_token is None or self.assignment_token == self.assignment_token.strip())
        )


#: A country, and a language with or without a region, as in `pt-BR`. Longer tags need the complete pattern.
_COUNTRY = frozenset(map("".join, product(ascii_letters, repeat=2)))
_REGION = frozenset({"", *(f"-{country}" for country in _COUNTRY)})
_BACKSLASH, _SPACE = b"\\ "
_DECODER = msgspec.json.Decoder(_PlainBody)


def read_resolve_body(body: bytes) -> ResolveBody:
    """Read the body. Raises MalformedBodyError and InvalidRequestError, which name every bad field.

    Nearly all bodies take one typed decode; a body that it rejects, or may accept wrongly, is validated completely.
    """
    if _BACKSLASH not in body:
        try:
            device = _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        else:
            locale = device.locale
            if (
                device.attributes is None
                and (device.country is None or device.country in _COUNTRY)
                and (locale is None or (locale[:2] in _COUNTRY and locale[2:] in _REGION))
                and ((_SPACE not in body and body.isascii()) or device.is_trimmed())
            ):
                return device
    return convert_object(parse_object(body), ResolveBody)
