"""The response of a resolve and its exposure."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import FlowNotFoundError, RequestError
from common.json_body import convert_object, parse_object
from common.rules.resolution import Choice
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import OverridingFlow, Snapshot
from edge_api.api.resolve import ResolveEndpoint, read_resolve_body
from tests.support.data.assignment_keys import TOKENS
from tests.support.data.snapshots import KEY_ID, a_default_flow, a_snapshot, a_targeted_flow, an_overriding_flow
from tests.unit.edge_api.api.authenticated import a_request, authenticated_project

BODY = b'{"deviceId": " phone ", "platform": "ios"}'


class RecordedExposures:
    """Records the submitted exposures: snapshot, device, choice, key id."""

    def __init__(self) -> None:
        self.seen: list[tuple[Snapshot, ResolveBody, Choice, str]] = []

    def __call__(self, snapshot: Snapshot, device: ResolveBody, choice: Choice, key_id: str) -> None:
        self.seen.append((snapshot, device, choice, key_id))


def test_response_has_the_bytes_of_the_publisher() -> None:
    response = ResolveEndpoint(None, TOKENS).handle(authenticated_project(), a_request(BODY))
    assert (response.status, response.body + response.tail) == (200, a_default_flow().tail)


def test_device_without_a_flow_gets_the_error_of_the_contract() -> None:
    with pytest.raises(FlowNotFoundError, match=r"^No onboarding flow is configured for this device$"):
        ResolveEndpoint(None, TOKENS).handle(authenticated_project(a_snapshot(default=None)), a_request(BODY))


def test_exposure_has_the_device_the_flow_and_the_key() -> None:
    exposures = RecordedExposures()
    project = authenticated_project()
    ResolveEndpoint(exposures, TOKENS).handle(project, a_request(BODY))
    [(snapshot, device, choice, key_id)] = exposures.seen
    assert snapshot is project.snapshot.snapshot
    assert (device.device_id, device.platform, choice.flow_id, key_id) == ("phone", "ios", "flow_default", KEY_ID)


def test_disabled_analytics_submit_no_exposure() -> None:
    exposures = RecordedExposures()
    ResolveEndpoint(exposures, TOKENS).handle(
        authenticated_project(a_snapshot(analytics_enabled=False)), a_request(BODY)
    )
    assert exposures.seen == []


def test_override_and_default_flow_have_their_own_responses() -> None:
    overriding, targeted = an_overriding_flow("flow_a", "tester"), a_targeted_flow("flow_a", rollout_buckets=1)
    project = authenticated_project(a_snapshot(overrides=(overriding,), targeted=(targeted,)))
    endpoint = ResolveEndpoint(None, TOKENS)
    assert endpoint.handle(project, a_request(b'{"deviceId": "tester"}')).tail == overriding.tail
    assert endpoint.handle(project, a_request(BODY)).tail == a_default_flow().tail


def test_device_of_a_draft_gets_the_draft_and_the_others_the_flow() -> None:
    live = an_overriding_flow("flow_a", "tester")
    draft = OverridingFlow("flow_a", ("editor",), b"{}")
    project = authenticated_project(a_snapshot(overrides=(draft, live), draft_overrides=1))
    endpoint = ResolveEndpoint(None, TOKENS)
    assert endpoint.handle(project, a_request(b'{"deviceId": "tester"}')).tail == live.tail
    assert endpoint.handle(project, a_request(b'{"deviceId": "editor"}')).tail == draft.tail


def test_device_of_an_override_has_no_exposure() -> None:
    exposures = RecordedExposures()
    project = authenticated_project(a_snapshot(overrides=(an_overriding_flow("flow_draft", "phone"),)))
    ResolveEndpoint(exposures, TOKENS).handle(project, a_request(BODY))
    assert exposures.seen == []
    ResolveEndpoint(exposures, TOKENS).handle(project, a_request(b'{"deviceId": "other"}'))
    assert [device.device_id for _, device, _, _ in exposures.seen] == ["other"]


# --- the body ---

TEXTS = st.text(st.characters(max_codepoint=0x3000), max_size=6) | st.sampled_from(
    ["ios", "pt-BR", "BR", " x ", "\u00a0x", "x" * 129, "x" * 257, "\x00", "\x0b", "\t", "\ud800", ""]
)
VALUES = TEXTS | st.none() | st.integers() | st.booleans() | st.floats() | st.lists(st.none(), max_size=1)
MEMBERS = (
    "deviceId",
    "platform",
    "appVersion",
    "osVersion",
    "locale",
    "country",
    "assignmentToken",
    "other",
    "attributes",
)
BODIES = st.dictionaries(st.sampled_from(MEMBERS), VALUES | st.dictionaries(TEXTS, VALUES, max_size=2))


def result_of(read: Callable[[bytes], ResolveBody], body: bytes) -> object:
    """Return the members that were read, or the error."""
    try:
        found = read(body)
    except RequestError as error:
        return error.code, error.message, error.details
    return [getattr(found, name) for name in ResolveBody.__struct_fields__]


def read_completely(body: bytes) -> ResolveBody:
    return convert_object(parse_object(body), ResolveBody)


@given(BODIES, st.booleans())
def test_object_is_read_alike(document: dict[str, Any], escaped: bool) -> None:  # noqa: FBT001 - drawn
    body = json.dumps({"deviceId": "phone", **document}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    assert result_of(read_resolve_body, body) == result_of(read_completely, body)


@pytest.mark.parametrize(
    "body",
    [
        b'{"deviceId":"a","deviceId":"b"}',
        b'{"deviceId":"a"}x',
        b'\xef\xbb\xbf{"deviceId":"a"}',
        b'{"deviceId":"\xff"}',
        b'{"deviceId":"a\x01"}',
        b'{"deviceId":"a","x":1e999}',
        b'{"deviceId":"a","x":' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"deviceId":"a","attributes":{"n":123456789012345678901234567890}}',
        b'{"deviceId":"a","platform":"web"}',
        b'{"deviceId":null}',
        b' { "deviceId" : "a" , "platform" : "ios" } ',
        b"[]",
        b"",
    ],
)
def test_unusual_body_is_read_alike(body: bytes) -> None:
    assert result_of(read_resolve_body, body) == result_of(read_completely, body)
