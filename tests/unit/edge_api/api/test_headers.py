"""Request ids that are kept, and bodies that are rejected by their headers."""

import os

import pytest

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.api.headers import check_declared_body, request_id_from


@pytest.mark.parametrize("safe", [b"a", b"A-Z_0.9", b"x" * 128, b"1-2", b" padded "])
def test_safe_request_id_is_kept(safe: bytes) -> None:
    assert request_id_from({b"x-request-id": safe}) == safe.strip()


@pytest.mark.parametrize("other", [None, b"", b"-", b"a b", b"x" * 129, b"a\n", b"\xe9", b"obk_api_x", b"a.b.c"])
def test_other_request_id_is_replaced(other: bytes | None) -> None:
    made = request_id_from({} if other is None else {b"x-request-id": other})
    assert made != other or other == b"-"
    assert request_id_from({b"x-request-id": made}) == made


def test_request_ids_of_forked_workers_differ() -> None:
    readers = []
    for _ in range(2):
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.write(writer, request_id_from({}))
            os._exit(0)
        readers.append(reader)
    assert len({os.read(reader, 100) for reader in readers}) == 2


@pytest.mark.parametrize("media_type", [b"application/json", b"Application/JSON; charset=utf-8", b"application/json;"])
def test_json_with_parameters_is_accepted(media_type: bytes) -> None:
    check_declared_body({b"content-type": media_type}, 10)


@pytest.mark.parametrize("media_type", [None, b"text/plain", b"application/jsonp", b"application/json+x"])
def test_other_media_type_is_rejected(media_type: bytes | None) -> None:
    with pytest.raises(UnsupportedMediaTypeError):
        check_declared_body({} if media_type is None else {b"content-type": media_type}, 10)


@pytest.mark.parametrize("length", [b"11", b"00011", b"9" * 5_000])
def test_declared_length_above_limit_is_rejected(length: bytes) -> None:
    with pytest.raises(PayloadTooLargeError):
        check_declared_body({b"content-type": b"application/json", b"content-length": length}, 10)


@pytest.mark.parametrize("length", [None, b"0", b"10", b"0" * 50 + b"9", b"nonsense"])
def test_other_declared_length_is_left_to_reading(length: bytes | None) -> None:
    headers = {b"content-type": b"application/json"}
    check_declared_body(headers if length is None else {**headers, b"content-length": length}, 10)
