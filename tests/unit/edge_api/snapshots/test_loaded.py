"""Decoding of stored snapshots."""

import pytest

from common.rules.conditions import Condition
from common.rules.resolution import Choice, Source
from common.wire.snapshot import SnapshotFormatError, encode_snapshot
from edge_api.snapshots.loaded import LoadedSnapshot, VerifiedKey
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, a_targeted_flow


def test_stored_snapshot_is_decoded_with_compiled_conditions() -> None:
    snapshot = a_snapshot(targeted=(a_targeted_flow("a", Condition("country", "eq", "br")),))
    loaded = LoadedSnapshot.decode(snapshot.project_id, encode_snapshot(snapshot))
    ((flow,), (condition,)) = loaded.rules.targeted, loaded.rules.targeted[0].conditions
    assert flow.flow_id == "a"
    assert condition.holds({"country": "BR"})


def test_flow_for_everyone_in_stored_snapshot_does_not_hide_default() -> None:
    flows = (a_targeted_flow("everyone"), a_targeted_flow("half", rollout_buckets=5_000))
    rules = LoadedSnapshot.from_snapshot(a_snapshot(targeted=flows)).rules
    assert [flow.flow_id for flow in rules.targeted] == ["half"]
    assert rules.fallback == Choice(Source.DEFAULT, "flow_default")
    rules = LoadedSnapshot.from_snapshot(a_snapshot(targeted=flows, default=None)).rules
    assert rules.fallback == Choice(Source.TARGETING, "everyone")


def test_snapshot_of_another_project_is_rejected() -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.decode("proj_other", encode_snapshot(a_snapshot()))


@pytest.mark.parametrize("stored", [b"", b"\xff", b"\x01", b"\x01\xc1"])
def test_damaged_bytes_are_rejected(stored: bytes) -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.decode("p", stored)


def test_unknown_condition_is_rejected() -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.from_snapshot(a_snapshot(targeted=(a_targeted_flow("a", Condition("country", "near", "BR")),)))


def test_size_includes_stored_bytes() -> None:
    snapshot = a_snapshot()
    large, small = LoadedSnapshot.from_snapshot(snapshot, 10_000), LoadedSnapshot.from_snapshot(snapshot, 0)
    assert large.size == small.size + 10_000


def test_repr_contains_no_secret_key() -> None:
    loaded = LoadedSnapshot.from_snapshot(a_snapshot())
    loaded.verified_keys[SECRET_KEY.encode()] = VerifiedKey("key_1", None)
    assert SECRET_KEY not in repr(loaded)
