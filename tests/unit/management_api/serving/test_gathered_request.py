"""The end of a request is found in whatever pieces it arrives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from management_api.serving.gathered_request import MAX_HEAD_BYTES, GatheredRequest

LIMIT = 1000
HEAD = b"POST /api/projects HTTP/1.1\r\nHost: a\r\n"


def fed(*pieces: bytes) -> GatheredRequest:
    request = GatheredRequest(LIMIT)
    for piece in pieces:
        request.feed(piece)
    return request


def chunked(contents: list[bytes], trailer: bytes = b"") -> bytes:
    chunks = b"".join(b"%x;note=1\r\n%b\r\n" % (len(content), content) for content in contents if content)
    return HEAD + b"Transfer-Encoding: Chunked\r\n\r\n" + chunks + b"0\r\n" + trailer + b"\r\n"


def sized(content: bytes) -> bytes:
    return HEAD + b"content-length : %d \r\n\r\n" % len(content) + content


whole_requests = st.one_of(
    st.binary(max_size=200).map(sized),
    st.builds(
        chunked,
        st.lists(st.binary(max_size=60), max_size=5),
        st.sampled_from([b"", b"X-Trailer: 1\r\n", b"A: 1\r\nB: 2\r\n"]),
    ),
    st.just(HEAD + b"\r\n"),
)


@given(whole_requests, st.data())
def test_a_request_is_whole_with_its_last_byte_and_not_before(sent: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(sent) - 1))
    middle = data.draw(st.integers(0, cut))
    assert not fed(sent[:middle], sent[middle:cut]).ready
    request = fed(sent[:middle], sent[middle:cut], sent[cut:])
    assert (request.ready, request.whole) == (True, True)


@given(whole_requests)
def test_a_byte_at_a_time_is_the_same_request(sent: bytes) -> None:
    request = fed(*(bytes([byte]) for byte in sent))
    assert (request.whole, bytes(request.data)) == (True, sent)


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_junk_is_never_a_failure(first: bytes, second: bytes) -> None:
    fed(first, second)
    fed(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + first, second)


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 1001",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: gzip",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ],
)
def test_what_is_refused_anyway_is_not_waited_for(header: bytes) -> None:
    request = fed(HEAD + header + b"\r\n\r\n")
    assert (request.ready, request.whole) == (True, False)


@pytest.mark.parametrize(
    "body", [b"zz\r\n", b"-1\r\n", b"\r\n", b"x" * 9000, b"1" * 16 + b"\r\n", b"44c\r\n" + b"x" * 1100]
)
def test_chunks_that_are_wrong_or_too_many_are_not_waited_for(body: bytes) -> None:
    request = fed(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + body)
    assert (request.ready, request.whole) == (True, False)


def test_wrapping_without_content_comes_to_an_end() -> None:
    request = fed(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(2):
        request.feed(b"1;" + b"x" * LIMIT + b"\r\na\r\n")
    assert (request.ready, request.whole) == (True, False)


def test_a_head_without_end_is_oversized() -> None:
    assert fed(b"GET / HTTP/1.1\r\n", b"x" * MAX_HEAD_BYTES).oversized
    assert fed(b"GET / HTTP/1.1\r\nA: " + b"x" * MAX_HEAD_BYTES + b"\r\n\r\n").oversized


def test_a_client_that_waits_for_a_word_is_noticed() -> None:
    request = fed(HEAD + b"Expect: 100-Continue\r\nContent-Length: 3\r\n\r\n")
    assert (request.expects_continue, request.ready) == (True, False)
