"""A copy on disk is read whole and unharmed, or not at all."""

import pytest

from common.wire.snapshot import SnapshotFormatError
from edge_api.snapshots.snapshot_file import HEADER_BYTES, pack_file, read_header, unpack_file

BODY = b"the bytes that Redis has"
FILE = pack_file("proj_a", 7, BODY)


def test_what_was_packed_is_unpacked() -> None:
    assert unpack_file("proj_a", FILE) == BODY
    header = read_header(FILE[:HEADER_BYTES], len(FILE))
    assert (header.revision, header.body_bytes) == (7, len(BODY))


def test_a_file_under_another_projects_name_is_refused() -> None:
    with pytest.raises(SnapshotFormatError):
        unpack_file("proj_b", FILE)


def test_a_file_with_any_bit_changed_is_refused() -> None:
    for position in range(len(FILE)):
        damaged = bytearray(FILE)
        damaged[position] ^= 1
        with pytest.raises(SnapshotFormatError):
            unpack_file("proj_a", bytes(damaged))


def test_a_file_of_any_other_length_is_refused() -> None:
    for length in range(len(FILE)):
        with pytest.raises(SnapshotFormatError):
            unpack_file("proj_a", FILE[:length])
    with pytest.raises(SnapshotFormatError):
        unpack_file("proj_a", FILE + b"x")


def test_a_revision_is_not_believed_from_a_damaged_header() -> None:
    damaged = bytearray(FILE)
    damaged[8] = 0xFF
    with pytest.raises(SnapshotFormatError):
        read_header(bytes(damaged[:HEADER_BYTES]), len(FILE))
