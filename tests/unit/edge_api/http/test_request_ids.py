"""Request ids of clients that are kept, and new ones."""

import os

import pytest

from edge_api.http.responses import request_id_from


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
