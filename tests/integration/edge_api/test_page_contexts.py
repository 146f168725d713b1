"""The context of a device by a ticket: it decides the flow, and the experiment of a page's events (decision 124)."""

import base64
import json
from itertools import count
from typing import Any

import httpx
import pytest
import redis

from common.rules.bucketing import bucket_of, variant_salt
from common.rules.conditions import Condition
from common.rules.resolution import Assignment
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.redis_keys import event_stream_of
from common.wire.snapshot import Experiment, ExperimentVariant, Snapshot
from common.wire.stream_records import EventRecord, decode_record
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.data.pages import ticket_of
from tests.support.data.snapshots import a_snapshot, a_targeted_flow, an_overriding_flow, publish, sdk_headers

pytestmark = pytest.mark.both_http_ways

TOKENS = AssignmentTokens([base64.b64decode(ASSIGNMENT_KEYS)])
ANDROID = {"User-Agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36"}
BAD_ATTRIBUTES: tuple[Any, ...] = ("{", [], {"a": {}}, {"a": "x" * 1025}, {"": 1}, {f"a{n}": n for n in range(51)})
CONTEXTS: list[dict[str, Any]] = [
    {"platform": "ios", "appVersion": "2.1.0", "osVersion": "17", "locale": "pt-BR", "country": "BR"},
    {"attributes": {"plan": "pro", "seats": 3, "isTrial": False}},
    *({"platform": value} for value in ("windows", "")),
    *({"appVersion": value} for value in ("x" * 129, "a\1b")),
    *({"locale": value} for value in ("no_such tag", "")),
    {"country": "DEU", "platform": "tv"},
    *({"attributes": value} for value in BAD_ATTRIBUTES),
]


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


def resolve_path(snapshot: Snapshot) -> str:
    """Return the path and query of a resolve by a ticket."""
    return f"/s/{ticket_of(snapshot)}/api/onboarding/resolve?projectId={snapshot.project_id}&deviceId=phone"


def test_context_of_a_query_is_validated_as_the_body_of_a_post(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    for context in CONTEXTS:
        query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in context.items()}
        got = edge.get(httpx.URL(resolve_path(snapshot)).copy_merge_params(query))
        body = {"deviceId": "phone", **context}
        posted = edge.post("/api/onboarding/resolve", json=body, headers=sdk_headers(snapshot))
        assert (got.status_code, got.json()) == (posted.status_code, posted.json()), context


def test_context_decides_the_flow_and_headers_complete_it(edge: httpx.Client, redis_client: redis.Redis) -> None:
    targeted = (
        a_targeted_flow("flow_android", Condition("platform", "eq", "android")),
        a_targeted_flow("flow_german", Condition("locale", "starts_with", "de")),
        a_targeted_flow("flow_pro", Condition("attributes.plan", "eq", "pro")),
    )
    flow_ids = frozenset({"flow_default", *(flow.flow_id for flow in targeted)})
    snapshot = a_snapshot(targeted=targeted, flow_ids=flow_ids)
    publish(redis_client, snapshot)

    def flow_of(query: str, headers: dict[str, str]) -> str:
        unknown = {"User-Agent": "curl/8", "Accept-Language": "*"}
        flow_id: str = edge.get(resolve_path(snapshot) + query, headers=unknown | headers).json()["flowId"]
        return flow_id

    assert flow_of("", {}) == "flow_default"
    assert flow_of("", ANDROID) == "flow_android"
    assert flow_of("&platform=ios", ANDROID) == "flow_default"
    assert flow_of("", {"Accept-Language": "de-AT,en;q=0.5"}) == "flow_german"
    assert flow_of("&locale=fr", {"Accept-Language": "de"}) == "flow_default"
    assert flow_of("&attributes=%7B%22plan%22%3A%22pro%22%7D", {}) == "flow_pro"


def test_events_of_pages_get_the_experiment_that_the_rules_find(edge: httpx.Client, redis_client: redis.Redis) -> None:
    variants = (
        ExperimentVariant("control", "flow_default", ((0, 5_000),), b"", b""),
        ExperimentVariant("b", "flow_b", ((5_000, 10_000),), b"", b""),
    )
    condition = Condition("appVersion", "semver_gte", "2.0.0")
    experiment = Experiment(
        "exp_1", is_paused=False, conditions=(condition,), traffic_buckets=10_000, salt_version=1, variants=variants
    )
    snapshot = a_snapshot(
        flow_ids=frozenset({"flow_default", "flow_b"}),
        experiments=(experiment,),
        overrides=(an_overriding_flow("flow_b", "tester"),),
    )
    publish(redis_client, snapshot)
    salt = variant_salt("exp_1", 1)
    device = next(f"d{number}" for number in count() if bucket_of(salt, f"d{number}") >= 5_000)

    def stored(query: str, flow_id: str | None, device_id: str = device) -> set[tuple[str | None, str | None]]:
        event = {"eventType": "flow_started", "deviceId": device_id, "flowId": flow_id}
        events = [{**event, "experimentId": "exp_claimed", "variant": "control"}, event]
        path = f"/s/{ticket_of(snapshot)}/api/analytics/events?{query}"
        assert edge.post(path, json={"events": events}).json()["accepted"] == 2
        entries: Any = redis_client.xrange(event_stream_of(snapshot.project_id, device_id))
        records = [decode_record(entry[b"r"]) for _, entry in entries[-2:]]
        return {(record.experiment_id, record.variant) for record in records if isinstance(record, EventRecord)}

    none = {(None, None)}
    assert stored("appVersion=2.1.0", "flow_b") == {("exp_1", "b")}
    # An invalid member counts as absent, and loses no event.
    assert stored("appVersion=2.1.0&country=x&attributes=%7B", "flow_b") == {("exp_1", "b")}
    assert stored("appVersion=1.9.0", "flow_b") == none
    assert stored("", "flow_b") == none
    # The device is in `b`, so the experiment did not show it the flow of `control`.
    assert stored("appVersion=2.1.0", "flow_default") == none
    assert stored("appVersion=2.1.0", None) == none
    assert stored("appVersion=2.1.0", "flow_b", "tester") == none
    # The token of a resolve keeps the variant that the context would not give.
    token = TOKENS.issue(snapshot.project_id, device, Assignment("exp_1", "control", 1)).decode()
    assert stored(f"assignmentToken={token}", "flow_default") == {("exp_1", "control")}
    assert stored(f"assignmentToken={token}", "flow_default", "another device") == none
