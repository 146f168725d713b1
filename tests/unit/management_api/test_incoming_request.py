"""The end of a request that arrives in parts, and the credential that owns it."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from management_api.incoming_request import (
    MAX_BODY_BYTES,
    MAX_CHUNKED_BYTES,
    MAX_HEAD_BYTES,
    IncomingRequest,
    Lane,
    Progress,
)

AUTHORIZATION = b"Authorization: Bearer a.b.c\r\n"


def post(*fields: bytes, body: bytes = b"", credential: bytes = AUTHORIZATION) -> bytes:
    return (
        b"POST /api/flows HTTP/1.1\r\nHost: a\r\n"
        + credential
        + b"".join(field + b"\r\n" for field in fields)
        + b"\r\n"
        + body
    )


def chunked(*chunks: bytes, trailer: bytes = b"") -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\n"


def last_of(parts: list[bytes]) -> tuple[Progress, int]:
    """Return the first progress that is not partial, and the number of bytes until then."""
    request = IncomingRequest()
    for part in parts:
        progress = request.add(part)
        if progress is not Progress.PARTIAL:
            return progress, len(request.data)
    return Progress.PARTIAL, len(request.data)


REQUESTS = [
    post(),
    post(b"Content-Length: 5", body=b"a\r\n\r\n"),
    post(b"content-length:5", body=b"0\r\n\r\n"),
    post(b"Transfer-Encoding: chunked", body=chunked(b"0\r\n\r\n", b"x" * 300)),
    post(b"Transfer-Encoding: chunked", body=chunked(b"a", trailer=b"Checksum: 1\r\n")),
    post(b"Transfer-Encoding: gzip, chunked", b"Content-Length: 1", body=chunked()),
]


@given(st.sampled_from(REQUESTS), st.data())
def test_request_is_complete_with_its_last_byte_only(request_bytes: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(1, len(request_bytes) - 1), max_size=6)))
    parts = [request_bytes[start:end] for start, end in zip([0, *cuts], [*cuts, len(request_bytes)], strict=True)]
    assert last_of([part for part in parts if part]) == (Progress.COMPLETE, len(request_bytes))


@pytest.mark.parametrize(
    "received",
    [
        post(b"Content-Length: 5", credential=b""),
        post(b"Transfer-Encoding: chunked", credential=b""),
        post(b"Content-Length: %d" % (MAX_BODY_BYTES + 1)),
        post(b"Transfer-Encoding: chunked", body=b"no size\r\n"),
        post(b"Transfer-Encoding: chunked", body=b"no size" + b"x" * 600),
        post(b"Transfer-Encoding: chunked", body=b"%x\r\n" % MAX_CHUNKED_BYTES + b"x" * MAX_CHUNKED_BYTES),
        b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD_BYTES,
    ],
    ids=["stranger", "stranger, chunked", "too large", "no chunk", "no line", "too large a chunk", "too large a head"],
)
def test_rest_of_a_request_that_will_be_refused_is_not_read(received: bytes) -> None:
    assert IncomingRequest().add(received) is Progress.CUT


def test_client_that_ends_early_gets_the_request_parsed() -> None:
    assert last_of([b"GARBAGE", b""]) == (Progress.CUT, 7)


@pytest.mark.parametrize(
    ("path", "lane"),
    [
        (b"/health/live", Lane.PROBE),
        (b"/dashboard", Lane.FILE),
        (b"/dashboard/assets/a.js", Lane.FILE),
        (b"/api/docs", Lane.FILE),
        (b"/api/v1/openapi.json", Lane.FILE),
        (b"/api/documents", Lane.SHARED),
        (b"/api/flows", Lane.SHARED),
    ],
)
def test_lane_follows_the_path(path: bytes, lane: Lane) -> None:
    request = IncomingRequest()
    request.add(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert request.lane is lane


def test_owner_of_a_request_is_its_credential() -> None:
    request = IncomingRequest()
    request.add(post())
    assert request.owner == hashlib.sha256(b"Bearer a.b.c").digest()
