"""Stored snapshots made ready for answering, or refused."""

import pytest

from common.rules.conditions import Condition
from common.rules.resolution import Choice, Rule, Source
from common.wire.snapshot import SnapshotFormatError, encode_snapshot
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.snapshots import a_snapshot, a_targeted_flow


def test_a_stored_snapshot_is_read_with_its_conditions_compiled() -> None:
    snapshot = a_snapshot(targeted=(a_targeted_flow("a", Condition("country", "eq", "br")),))
    resident = LoadedSnapshot.read(snapshot.project_id, encode_snapshot(snapshot))
    ((flow,), (condition,)) = resident.rules.targeted, resident.rules.targeted[0].conditions
    assert flow.flow_id == "a"
    assert condition.holds({"country": "BR"})


def test_flow_for_everyone_in_stored_snapshot_does_not_hide_default() -> None:
    flows = (a_targeted_flow("everyone"), a_targeted_flow("half", rollout_buckets=5_000))
    rules = LoadedSnapshot.of(a_snapshot(targeted=flows)).rules
    assert [flow.flow_id for flow in rules.targeted] == ["half"]
    assert rules.fallbacks[0] == (Rule.DEFAULT, "flow_default", Choice(Source.DEFAULT, "flow_default"))
    rules = LoadedSnapshot.of(a_snapshot(targeted=flows, default=None)).rules
    assert rules.fallbacks[-1] == (Rule.FLOW, "everyone", Choice(Source.TARGETING, "everyone"))


def test_a_snapshot_stored_under_another_projects_name_is_refused() -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.read("proj_other", encode_snapshot(a_snapshot()))


@pytest.mark.parametrize("stored", [b"", b"\xff", b"\x01", b"\x01\xc1"])
def test_damaged_bytes_are_refused(stored: bytes) -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.read("p", stored)


def test_a_condition_that_this_release_does_not_know_is_refused() -> None:
    with pytest.raises(SnapshotFormatError):
        LoadedSnapshot.of(a_snapshot(targeted=(a_targeted_flow("a", Condition("country", "near", "BR")),)))


def test_a_larger_snapshot_counts_for_more() -> None:
    assert LoadedSnapshot.of(a_snapshot(), 10_000).size == LoadedSnapshot.of(a_snapshot(), 0).size + 10_000
