"""A benchmark's requests differ from each other as those of real clients do."""

import pytest

from loadtests.benchmarks.edge.cases import CLIENTS, Case, edge_cases
from loadtests.measurement.client_headers import client_headers, same_headers

_CASES = edge_cases("proj_1", "obk_sk_1", '"tag"')


@pytest.mark.parametrize("position", range(3), ids=["User-Agent", "X-Request-Id", "X-Forwarded-For"])
def test_client_headers_differ_from_client_to_client(position: int) -> None:
    values = [headers.split("\r\n")[position] for headers in client_headers(1000)]
    assert len(set(values)) > 990


def test_client_headers_are_the_same_in_every_run() -> None:
    assert client_headers(10) == client_headers(10)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_requests_of_many_clients_are_all_different(case: Case) -> None:
    requests = case.requests(client_headers(CLIENTS))
    assert len(set(requests)) == len(requests) == CLIENTS


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_requests_with_the_same_headers_differ_in_the_body_only(case: Case) -> None:
    heads = {request.partition(b"\r\n\r\n")[0] for request in case.requests(same_headers(CLIENTS))}
    assert len(heads) == 1
