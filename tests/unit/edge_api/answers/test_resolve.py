"""What a resolve answers, and what it tells of the exposure."""

import pytest

from common.errors import FlowNotFoundError
from common.wire.stream_records import ExposureRecord
from edge_api.answers.request_head import RequestHeaders
from edge_api.answers.resolve import ResolveEndpoint
from tests.assignment_keys import TOKENS
from tests.snapshots import KEY_ID, a_default_flow, a_snapshot, a_targeted_flow, an_overriding_flow
from tests.unit.edge_api.answers.resident import access_to

BODY = b'{"deviceId": " phone ", "platform": "ios"}'


class Offered:
    """Keeps the exposures that it is offered, with the revisions."""

    def __init__(self) -> None:
        self.seen: list[tuple[ExposureRecord, int]] = []

    def __call__(self, exposure: ExposureRecord, revision: int) -> None:
        self.seen.append((exposure, revision))


def test_the_publishers_bytes_are_the_answer() -> None:
    answer = ResolveEndpoint(None, TOKENS).answer(access_to(), RequestHeaders(), BODY)
    assert (answer.status, answer.body) == (200, a_default_flow().body)


def test_no_flow_for_a_device_is_said_in_the_contracts_words() -> None:
    with pytest.raises(FlowNotFoundError, match=r"^No onboarding flow is configured for this device$"):
        ResolveEndpoint(None, TOKENS).answer(access_to(a_snapshot(default=None)), RequestHeaders(), BODY)


def test_an_exposure_names_the_device_the_flow_and_the_key() -> None:
    offered = Offered()
    access = access_to()
    ResolveEndpoint(offered, TOKENS).answer(access, RequestHeaders(), BODY)
    [(exposure, revision)] = offered.seen
    assert revision == access.resident.revision
    assert (exposure.project_id, exposure.device_id, exposure.flow_id, exposure.platform, exposure.secret_key_id) == (
        access.resident.snapshot.project_id,
        "phone",
        "flow_default",
        "ios",
        KEY_ID,
    )


def test_no_exposure_is_offered_when_analytics_are_off() -> None:
    offered = Offered()
    ResolveEndpoint(offered, TOKENS).answer(access_to(a_snapshot(analytics_enabled=False)), RequestHeaders(), BODY)
    assert offered.seen == []


def test_each_choice_has_an_answer_of_its_own() -> None:
    overriding, targeted = an_overriding_flow("flow_a", "tester"), a_targeted_flow("flow_a", rollout_buckets=1)
    access = access_to(a_snapshot(overrides=(overriding,), targeted=(targeted,)))
    endpoint = ResolveEndpoint(None, TOKENS)
    assert endpoint.answer(access, RequestHeaders(), b'{"deviceId": "tester"}').body == overriding.body
    assert endpoint.answer(access, RequestHeaders(), BODY).body == a_default_flow().body


def test_a_device_that_an_override_serves_is_no_exposure() -> None:
    offered = Offered()
    access = access_to(a_snapshot(overrides=(an_overriding_flow("flow_draft", "phone"),)))
    ResolveEndpoint(offered, TOKENS).answer(access, RequestHeaders(), BODY)
    assert offered.seen == []
    ResolveEndpoint(offered, TOKENS).answer(access, RequestHeaders(), b'{"deviceId": "other"}')
    assert [exposure.device_id for exposure, _ in offered.seen] == ["other"]
