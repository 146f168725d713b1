"""The response to any input is a success or an error of the contract, never 500."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.error_shape import assert_is_an_error_of_the_contract, assert_is_no_failure_of_ours
from tests.contract.route_examples import Ids, Row, rows_with_a_body, seed
from tests.contract.sweeps.naughty_values import BAD_BODIES, BAD_PATH_VALUES, BAD_QUERIES, JUNK_VALUES
from tests.contract.sweeps.shares import every_row, every_row_with_a_body, every_row_with_a_path_parameter, share_of
from tests.support.clients.management import Management
from tests.support.soak import soak_setting

JSON = {"Content-Type": "application/json"}
#: Invented bodies, beside those that are written down.
INVENTED_BODIES = soak_setting("INVENTED_BODIES", 80, 1000)
BAD_HEADERS = [
    ("Accept", "\xff"),
    ("Accept", "text/html;q=x"),
    ("Content-Type", "\xff\xfe"),
    ("Content-Type", "application/json" * 500),
    ("Content-Encoding", "gzip"),
    ("X-Request-Id", "\xff" * 200),
    ("Range", "bytes=nonsense"),
    ("If-Modified-Since", "nonsense"),
    ("Cookie", "a=b; \x01"),
    ("X-Project-Id", "\xff"),
    ("X-Secret-Key", "\xff"),
]


@pytest.fixture(scope="module")
def ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user())


@every_row_with_a_body
def test_bad_body_is_rejected(shared_management: Management, ids: Ids, number: int, row: Row) -> None:
    alice, path = shared_management.user(), f"/api{ids.path_of(row)}"
    for body in share_of(BAD_BODIES.values(), number):
        response = alice.request(row.method, path, body=body, headers=JSON)
        if row.body_is_optional and not body.strip():
            assert_is_no_failure_of_ours(response)
        else:
            assert_is_an_error_of_the_contract(response)


@pytest.mark.parametrize("row", rows_with_a_body(), ids=str)
def test_other_media_type_and_too_large_body_are_rejected(shared_management: Management, ids: Ids, row: Row) -> None:
    path = f"/api{ids.path_of(row)}"
    alice = shared_management.user()
    for headers, body, status in (
        ({"Content-Type": "text/plain"}, b'{"name": "abc"}', 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"name=abc", 415),
        ({}, b'{"name": "abc"}', 415),
        (JSON, b'{"name": "' + b"x" * 1024 * 1024 + b'"}', 413),
    ):
        answer = alice.request(row.method, path, body=body, headers=headers)
        assert answer.status_code == status
        assert_is_an_error_of_the_contract(answer)


def mutations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Put every junk value in the place of every member, two levels deep, and take every member away."""
    for name, value in document.items():
        yield {other: kept for other, kept in document.items() if other != name}
        yield from ({**document, name: junk} for junk in JUNK_VALUES)
        if isinstance(value, dict):
            yield from ({**document, name: {**value, inner: junk}} for inner in value for junk in JUNK_VALUES)


@every_row_with_a_body
def test_junk_in_the_place_of_a_member_is_no_failure(
    shared_management: Management, ids: Ids, number: int, row: Row
) -> None:
    path = f"/api{ids.path_of(row)}"
    alice = shared_management.user()
    for document in share_of(mutations(ids.put_into(row.example.body)), number):
        assert_is_no_failure_of_ours(alice.request(row.method, path, json=document))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=INVENTED_BODIES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_json_is_no_failure(shared_management: Management, ids: Ids, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(rows_with_a_body()))
    example = ids.put_into(row.example.body)
    names = st.sampled_from([*sorted(example), "name"]) | st.text(max_size=10)
    junk = data.draw(st.dictionaries(names, JSON_VALUES, max_size=5))
    kept = {name: value for name, value in example.items() if data.draw(st.booleans())}
    body = json.dumps({**kept, **junk}).encode()
    path = f"/api{ids.path_of(row)}"
    assert_is_no_failure_of_ours(shared_management.user().request(row.method, path, body=body, headers=JSON))


@every_row_with_a_path_parameter
def test_junk_in_the_path_does_not_exist(shared_management: Management, ids: Ids, number: int, row: Row) -> None:
    start, _, rest = row.path.partition("{")
    end = rest.partition("}")[2]
    alice, request = shared_management.user(), ids.request_of(row)
    for value in share_of(BAD_PATH_VALUES, number):
        answer = alice.request(**{**request, "path": f"/api{start}{value}{end}"})
        assert answer.status_code in {404, 405}, value
        assert_is_an_error_of_the_contract(answer)


@every_row
def test_junk_in_the_query_is_no_failure(shared_management: Management, ids: Ids, number: int, row: Row) -> None:
    alice = shared_management.user()
    # A request that the junk does not spoil changes its project: only reads share one.
    own = ids if row.method == "GET" else seed(shared_management, alice)
    request = {**own.request_of(row), "params": None}
    for query in share_of(BAD_QUERIES, number):
        assert_is_no_failure_of_ours(alice.request(**request, query_string=query))


@every_row
def test_junk_in_the_headers_is_no_failure(shared_management: Management, ids: Ids, number: int, row: Row) -> None:
    alice, anonymous = shared_management.user(), shared_management.anonymous()
    request = (ids if row.method == "GET" else seed(shared_management, alice)).request_of(row)
    for name, value in share_of(BAD_HEADERS, number):
        assert_is_no_failure_of_ours(alice.request(**request, headers={name: value}))
        if name.startswith("X-"):
            both = {"X-Project-Id": value, "X-Secret-Key": value}
            assert_is_an_error_of_the_contract(anonymous.request(**request, headers=both))
