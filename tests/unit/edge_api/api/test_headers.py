"""Bodies that are rejected by their headers."""

import pytest

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.api.headers import check_declared_body


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
