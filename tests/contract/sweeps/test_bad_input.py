"""The response to any input is a success or an error of the contract, never 500."""

from collections.abc import Iterator
from typing import Any

import pytest
from falcon.testing import Result

from tests.contract.error_shape import assert_is_an_error_of_the_contract, assert_is_no_failure_of_ours
from tests.contract.route_examples import Ids, Row, rows, rows_with_a_body, seed
from tests.contract.sweeps.naughty_values import BAD_BODIES, BAD_PATH_VALUES, BAD_QUERIES, JUNK_VALUES
from tests.contract.sweeps.shares import failures, share_of
from tests.support.clients.management import Management, User

JSON = {"Content-Type": "application/json"}
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


def test_bad_body_is_rejected(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        for number, row in enumerate(rows_with_a_body()):
            for name, body in share_of(BAD_BODIES.items(), number):
                if not (row.body_is_optional and not body.strip()):
                    path = f"/api{ids.path_of(row)}"
                    yield f"{row} {name}", alice.request(row.method, path, body=body, headers=JSON)

    assert failures(responses(), assert_is_an_error_of_the_contract) == []


def test_other_media_type_and_too_large_body_are_rejected(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()
    too_large = b'{"name": "' + b"x" * 1024 * 1024 + b'"}'
    others = [{"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}, {}]

    def statuses(row: Row) -> list[int]:
        path = f"/api{ids.path_of(row)}"
        sent = [*((headers, b'{"name": "abc"}') for headers in others), (JSON, too_large)]
        answers = [alice.request(row.method, path, body=body, headers=headers) for headers, body in sent]
        for answer in answers:
            assert_is_an_error_of_the_contract(answer)
        return [answer.status_code for answer in answers]

    found = {str(row): statuses(row) for row in rows_with_a_body()}
    assert {row: each for row, each in found.items() if each != [415, 415, 415, 413]} == {}


def mutations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Put every junk value in the place of every member, two levels deep, and take every member away."""
    for name, value in document.items():
        yield {other: kept for other, kept in document.items() if other != name}
        yield from ({**document, name: junk} for junk in JUNK_VALUES)
        if isinstance(value, dict):
            yield from ({**document, name: {**value, inner: junk}} for inner in value for junk in JUNK_VALUES)


def test_junk_in_the_place_of_a_member_is_no_failure(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        for number, row in enumerate(rows_with_a_body()):
            for document in share_of(mutations(ids.put_into(row.example.body)), number):
                yield f"{row} {document}", alice.request(row.method, f"/api{ids.path_of(row)}", json=document)

    assert failures(responses(), assert_is_no_failure_of_ours) == []


def test_junk_in_the_path_does_not_exist(shared_management: Management, ids: Ids) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        for number, row in enumerate(row for row in rows() if "{" in row.path):
            start, _, rest = row.path.partition("{")
            for value in share_of(BAD_PATH_VALUES, number):
                path = f"/api{start}{value}{rest.partition('}')[2]}"
                yield f"{row} {value}", alice.request(**{**ids.request_of(row), "path": path})

    def does_not_exist(response: Result) -> None:
        assert response.status_code in {404, 405}
        assert_is_an_error_of_the_contract(response)

    assert failures(responses(), does_not_exist) == []


def _seeded_again(management: Management, user: User, row: Row, response: Result, ids: Ids) -> Ids:
    """Return new ids where a request that the junk left valid has taken a part of the project from its user."""
    is_taken = row.method == "DELETE" or row.path.endswith("/transfer")
    return seed(management, user) if is_taken and response.status_code < 300 else ids


def test_junk_in_the_query_is_no_failure(shared_management: Management) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        own = seed(shared_management, alice)
        for number, row in enumerate(rows()):
            for query in share_of(BAD_QUERIES, number):
                response = alice.request(**{**own.request_of(row), "params": None, "query_string": query})
                yield f"{row} {query}", response
                own = _seeded_again(shared_management, alice, row, response, own)

    assert failures(responses(), assert_is_no_failure_of_ours) == []


def test_junk_in_the_headers_is_no_failure(shared_management: Management) -> None:
    alice = shared_management.user()

    def responses() -> Iterator[tuple[str, Result]]:
        own = seed(shared_management, alice)
        for number, row in enumerate(rows()):
            for name, value in share_of(BAD_HEADERS, number):
                response = alice.request(**own.request_of(row), headers={name: value})
                yield f"{row} {name} {value!r}", response
                own = _seeded_again(shared_management, alice, row, response, own)

    assert failures(responses(), assert_is_no_failure_of_ours) == []


def test_junk_as_credentials_of_a_project_is_rejected(shared_management: Management, ids: Ids) -> None:
    anonymous = shared_management.anonymous(**{"X-Project-Id": "\xff", "X-Secret-Key": "\xff"})
    responses = ((str(row), anonymous.request(**ids.request_of(row))) for row in rows())
    assert failures(responses, assert_is_an_error_of_the_contract) == []
