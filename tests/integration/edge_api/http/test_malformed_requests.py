"""A malformed or ambiguous request is rejected once, in its place; the same with both HTTP implementations."""

import httpx
import pytest

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.request_examples import DEVICE, RESOLVE, request_examples
from tests.support.data.snapshots import sdk_headers

pytestmark = pytest.mark.both_http_ways


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


MALFORMED = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\n\n",
    "two lengths": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: 21\r\nContent-Length: 22\r\n\r\n{b}",
    "length, chunks": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: 21\r\nTransfer-Encoding: chunked\r\n\r\n{b}",
    "chunks, length": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\nContent-Length: 21\r\n\r\n{b}",
    "bad chunk size": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{b}\r\n0\r\n\r\n",
    "huge chunk size": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{b}",
    "negative length": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: -1\r\n\r\n{b}",
    "chunked is not last": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked, identity\r\n\r\n{b}",
    "folded header": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}X-A: b\r\n c\r\nContent-Length: 21\r\n\r\n{b}",
    "NUL in a header": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}X-A: b\x00c\r\nContent-Length: 21\r\n\r\n{b}",
    "space before the colon": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length : 21\r\n\r\n{b}",
    "bare line feeds": b"POST {p} HTTP/1.1\nHost: e\nContent-Length: 21\n\n{b}",
    "no version": b"POST {p}\r\nHost: e\r\n\r\n",
    "not a path": b"POST \xff\xfe HTTP/1.1\r\nHost: e\r\n\r\n",
}


@pytest.mark.parametrize("shape", MALFORMED)
@pytest.mark.parametrize("before", [[], [0], [1], [1, 3]])
def test_malformed_request_is_rejected_in_its_place_and_ends_the_connection(
    edge: httpx.Client, snapshot: Snapshot, shape: str, before: list[int]
) -> None:
    headers = "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())
    headers += "Content-Type: application/json\r\n"
    malformed = MALFORMED[shape].replace(b"{p}", RESOLVE.encode()).replace(b"{h}", headers.encode())
    earlier = [request_examples(snapshot)[number] for number in before]
    smuggled = raw_request("GET", "/health/live", {})
    with raw_connection(edge) as connection:
        connection.send(b"".join(request for request, _ in earlier) + malformed.replace(b"{b}", DEVICE) + smuggled)
        assert [connection.response().status for _ in earlier] == [status for _, status in earlier]
        rejected = connection.response()
        assert rejected.status == 400
        assert (rejected.document["code"], rejected.document["status"]) == ("INVALID_PARAMETER", 400)
        assert b"connection: close" in rejected.headers
        assert connection.rest() == b""


def test_headers_of_more_than_16_kib_are_rejected(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("GET", "/api/config", {**sdk_headers(snapshot), "X-Padding": "x" * 17_000})
    for pieces in ([request], [request[:9000], request[9000:]], [request[:17_100]]):
        with raw_connection(edge) as connection:
            for piece in pieces:
                connection.send(piece)
            rejected = connection.response()
            assert (rejected.status, rejected.document["code"]) == (400, "INVALID_PARAMETER")
            assert connection.rest() == b""
