"""No string in a member, a query or a path makes either service fail."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import orjson
import pytest
import redis
from falcon.testing import Result

from tests.contract.error_shape import assert_is_no_failure_of_ours
from tests.contract.route_examples import Ids, rows, rows_with_a_body, seed
from tests.contract.sweeps.body_members import places, with_value_at
from tests.contract.sweeps.json_corpus import DEBATABLE, MALFORMED, WELL_FORMED
from tests.contract.sweeps.naughty_strings import NAUGHTY_STRINGS
from tests.contract.sweeps.shares import failures, share_of
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.clients.management import Management
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.openapi.document import committed_bytes, example_of

pytestmark = pytest.mark.slow

JSON_TEXTS = [*WELL_FORMED, *MALFORMED, *DEBATABLE]
JSON = {"Content-Type": "application/json"}
PUBLIC = {
    "/api/onboarding/resolve": "resolve_flow",
    "/api/analytics/event": "track_event",
    "/api/analytics/events": "track_events",
}
_DOCUMENT = orjson.loads(committed_bytes())
PUBLIC_EXAMPLES = {path: example_of(_DOCUMENT, operation_id) for path, operation_id in PUBLIC.items()}
#: The statuses of the edge for a body of an authenticated project.
JUDGED = {200, 201, 400, 404}
every_public_body = pytest.mark.parametrize("path", PUBLIC)


@pytest.fixture(scope="module")
def ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user())


@pytest.fixture
def edge(redis_url: str) -> Iterator[httpx.Client]:
    """Return a client of a running edge, with the credentials of a project."""
    snapshot = a_snapshot()
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
    with running_edge(edge_settings(redis_url)) as client:
        client.headers.update(sdk_headers(snapshot))
        yield client


def test_any_text_in_the_place_of_any_member_is_no_failure(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        for number, row in enumerate(rows_with_a_body()):
            example, path = ids.put_into(row.example.body), f"/api{ids.path_of(row)}"
            for at, place in enumerate(places(example)):
                for text in share_of(NAUGHTY_STRINGS, number + at):
                    body = with_value_at(example, place, text)
                    yield f"{row} {place} {text!r}", alice.request(row.method, path, json=body)
            for text in share_of(NAUGHTY_STRINGS, number):
                yield f"{row} {text!r}", alice.request(row.method, path, json={**example, text: text})

    assert failures(responses(), assert_is_no_failure_of_ours) == []


def test_any_text_in_the_query_and_in_the_path_is_no_failure(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        for number, row in enumerate(row for row in rows() if row.example.query or "{" in row.path):
            own = ids if row.method == "GET" else seed(shared_management, alice)
            start, _, rest = row.path.partition("{")
            for text in share_of(NAUGHTY_STRINGS, number):
                if row.example.query:
                    query = "&".join(f"{name}={quote(text, safe='')}" for name in row.example.query)
                    request = {**own.request_of(row), "params": None, "query_string": query}
                    yield f"{row} {query}", alice.request(**request)
                if rest:
                    path = f"/api{start}{quote(text, safe='')}{rest.partition('}')[2]}".format_map(vars(own))
                    yield f"{row} {path}", alice.request(**{**own.request_of(row), "path": path})

    assert failures(responses(), assert_is_no_failure_of_ours) == []


@every_public_body
def test_any_text_in_the_place_of_any_member_of_a_public_body(edge: httpx.Client, path: str) -> None:
    example = PUBLIC_EXAMPLES[path]
    for at, place in enumerate(places(example)):
        for text in share_of(NAUGHTY_STRINGS, at):
            assert edge.post(path, json=with_value_at(example, place, text)).status_code in JUDGED, text
    for text in NAUGHTY_STRINGS:
        assert edge.post(path, json={**example, text: text}).status_code in JUDGED, text


@pytest.mark.parametrize(
    ("values", "statuses"), [(WELL_FORMED, {201}), (MALFORMED, {400}), (DEBATABLE, {201, 400, 413})]
)
def test_unusual_json_is_accepted_or_rejected_by_the_standard(
    shared_management: Management, values: list[bytes], statuses: set[int]
) -> None:
    ids, alice = seed(shared_management, shared_management.user()), shared_management.user()
    for value in values:
        body = b'{"flowId": "%s", "type": "custom", "content": {"a": %s}}' % (ids.flow_id.encode(), value)
        response = alice.request("POST", "/api/screens", body=body, headers=JSON)
        assert response.status_code in statuses, value[:200]
        if response.status_code == 201:
            assert alice.delete(f"/api/screens/{response.json['data']['id']}").status_code == 200


@pytest.mark.parametrize(
    ("values", "statuses"), [(WELL_FORMED, {201}), (MALFORMED, {400}), (DEBATABLE, {201, 400, 413})]
)
def test_unusual_json_at_the_edge_is_accepted_or_rejected_by_the_standard(
    edge: httpx.Client, values: list[bytes], statuses: set[int]
) -> None:
    for value in values:
        body = b'{"eventType": "seen", "deviceId": "d", "properties": {"a": %s}}' % value
        response = edge.post("/api/analytics/event", content=body, headers=JSON)
        assert response.status_code in statuses, value[:200]


def test_json_value_as_a_body_is_no_failure(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()
    responses = (
        (f"{row} {value[:200]!r}", alice.request(row.method, f"/api{ids.path_of(row)}", body=value, headers=JSON))
        for number, row in enumerate(rows_with_a_body())
        for value in share_of(JSON_TEXTS, number)
    )
    assert failures(responses, assert_is_no_failure_of_ours) == []


@every_public_body
def test_json_value_as_a_public_body_causes_no_failure(edge: httpx.Client, path: str) -> None:
    for value in JSON_TEXTS:
        assert edge.post(path, content=value, headers=JSON).status_code in {400, 413}, value[:200]
    assert edge.post(path, content=json.dumps(PUBLIC_EXAMPLES[path]), headers=JSON).status_code in {
        200,
        201,
        404,
    }
