"""Both services accept or reject JSON as its standard does, also at its edges."""

from collections.abc import Iterator

import httpx
import pytest
import redis

from tests.contract.route_examples import seed
from tests.contract.sweeps.json_corpus import DEBATABLE, MALFORMED, WELL_FORMED
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.clients.management import Management
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers

pytestmark = pytest.mark.slow

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def edge(redis_url: str) -> Iterator[httpx.Client]:
    """Return a client of a running edge, with the credentials of a project."""
    snapshot = a_snapshot()
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
    with running_edge(edge_settings(redis_url)) as client:
        client.headers.update(sdk_headers(snapshot))
        yield client


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
