"""Any body is handled or rejected by the endpoints; none causes another error."""

import contextlib
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import RequestError
from edge_api.api.events import EventBatchEndpoint, EventEndpoint
from edge_api.api.handler import Endpoint
from edge_api.api.resolve import ResolveEndpoint
from edge_api.api.response import error_response
from edge_api.snapshots.redis_health import RedisHealth
from tests.support.data.assignment_keys import TOKENS
from tests.unit.edge_api.api.authenticated import a_request, authenticated_project
from tests.unit.edge_api.events.used_quotas import no_quotas

BATCH = EventBatchEndpoint(RedisHealth(), no_quotas())
ENDPOINTS: list[Endpoint] = [ResolveEndpoint(None, TOKENS), EventEndpoint(RedisHealth(), no_quotas()), BATCH]
MEMBERS = st.sampled_from(
    ["deviceId", "eventType", "platform", "attributes", "timestamp", "properties", "flowId", "locale", "events", "x"]
)

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.text(max_size=300)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
documents = st.dictionaries(MEMBERS, values, max_size=8)


def handle_or_reject(endpoint: Endpoint, body: bytes) -> None:
    """Handle the body. A RequestError is a rejection; any other error fails the test."""
    with contextlib.suppress(RequestError):
        endpoint.handle(authenticated_project(), a_request(body))


@given(st.sampled_from(ENDPOINTS), st.binary(max_size=300))
def test_any_bytes_are_handled_or_rejected(endpoint: Endpoint, body: bytes) -> None:
    handle_or_reject(endpoint, body)


@given(st.sampled_from(ENDPOINTS), documents)
def test_any_members_are_handled_or_rejected(endpoint: Endpoint, document: dict[str, Any]) -> None:
    handle_or_reject(endpoint, orjson.dumps(document))


@given(st.lists(documents, min_size=1, max_size=4))
def test_any_items_of_a_batch_are_handled_or_rejected(items: list[dict[str, Any]]) -> None:
    handle_or_reject(BATCH, orjson.dumps({"events": items}))


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b"[" * 10_000,
        b'{"a":' * 900 + b"1" + b"}" * 900,
        b'{"deviceId":"\\ud800"}',
        b'{"deviceId":"\\u0000"}',
        b'{"a":1e999}',
        b'{"a":' + b"9" * 5_000 + b"}",
        b'{"a":NaN}',
    ],
)
def test_hostile_json_is_a_bad_request(endpoint: Endpoint, body: bytes) -> None:
    with pytest.raises(RequestError) as raised:
        endpoint.handle(authenticated_project(), a_request(body))
    assert raised.value.status == 400


def test_response_to_an_internal_error_contains_no_detail() -> None:
    response = error_response(RuntimeError("SELECT secret"))
    assert response.status == 500
    assert orjson.loads(response.body) == {
        "success": False,
        "error": "Internal server error",
        "code": "INTERNAL_ERROR",
        "status": 500,
    }
