"""Stored snapshots: decoded as they were encoded, and refused when damaged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.rules.conditions import Condition
from common.wire.snapshot import (
    FORMAT_VERSION,
    Snapshot,
    SnapshotFormatError,
    decode_snapshot,
    encode_snapshot,
)
from tests.support.data.snapshots import a_snapshot, a_targeted_flow, an_overriding_flow

FULL = a_snapshot(
    targeted=(a_targeted_flow("a", Condition("country", "in", ["BR", "PT"]), Condition("attributes.n", "gt", 1.5)),),
    overrides=(an_overriding_flow("c", "d1", "d2"),),
    flow_ids=frozenset({"a", "b", "c"}),
)


@pytest.mark.parametrize("snapshot", [FULL, a_snapshot(default=None), Snapshot.tombstone("p", 9)])
def test_snapshot_is_decoded_as_it_was_encoded(snapshot: Snapshot) -> None:
    assert decode_snapshot(encode_snapshot(snapshot)) == snapshot


def test_equal_snapshots_have_equal_bytes() -> None:
    reordered = a_snapshot(
        project_id=FULL.project_id,
        overrides=FULL.overrides,
        targeted=FULL.targeted,
        flow_ids=frozenset({"c", "a", "b"}),
    )
    assert encode_snapshot(reordered) == encode_snapshot(FULL)


@pytest.mark.parametrize("version", [0, 2, FORMAT_VERSION + 1])
def test_unknown_format_is_refused(version: int) -> None:
    with pytest.raises(SnapshotFormatError, match="format"):
        decode_snapshot(bytes((version,)) + encode_snapshot(FULL)[1:])


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(stored: bytes) -> None:
    with pytest.raises(SnapshotFormatError):
        decode_snapshot(bytes((FORMAT_VERSION,)) + stored)


@given(st.integers(0, len(encode_snapshot(FULL)) - 1))
def test_truncated_snapshot_is_refused(length: int) -> None:
    with pytest.raises(SnapshotFormatError):
        decode_snapshot(encode_snapshot(FULL)[:length])


def test_tombstone_has_no_keys() -> None:
    tombstone = Snapshot.tombstone("p", 3)
    assert tombstone.deleted
    assert tombstone.secret_keys == ()
