"""The bytes of responses."""

import pytest

from edge_api.api.response import JSON_CONTENT, json_response, make_response


@pytest.mark.parametrize("status", [200, 201, 404])
def test_json_response_is_any_response_with_that_content(status: int) -> None:
    assert json_response(status, b'{"a":1}') == make_response(status, (JSON_CONTENT,), b'{"a":1}')


def test_response_that_was_not_modified_states_no_length() -> None:
    assert make_response(304, (JSON_CONTENT,), b"").head == (
        b"HTTP/1.1 304 Not Modified\r\ncontent-type: application/json\r\n"
    )
