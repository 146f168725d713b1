"""Decoding of stored snapshots."""

import gc
import tracemalloc

import pytest

from common.rules.conditions import Condition
from common.rules.resolution import Choice, Source, evaluate
from common.wire.public_bodies import ResolveBody
from common.wire.public_responses import PublicScreen, ScreenType
from common.wire.snapshot import SnapshotFormatError, encode_snapshot
from edge_api.snapshots.loaded import LoadedSnapshot, VerifiedKey
from publisher.compiler import compile_snapshot
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, a_targeted_flow
from tests.unit.publisher.records import a_flow, a_project


def a_stored_project(flows: int) -> bytes:
    """Return the snapshot of a project with a default flow and flows for countries, each with three screens."""
    screens = tuple(
        PublicScreen(
            id=f"screen_{number}",
            type=ScreenType.FEATURE,
            name="Feature",
            order=number,
            content={"title": f"Feature {number}", "subtitle": "Some words about the feature. " * 3},
            settings={},
        )
        for number in range(3)
    )
    condition = {"attribute": "country", "operator": "in", "value": ["DE", "FR", "US"]}
    active = tuple(
        a_flow(id=f"flow_{number:026}", screens=screens, conditions=[condition] if number else [])
        for number in range(flows)
    )
    return encode_snapshot(compile_snapshot(a_project(*active, default_flow_id=active[0].id), ()))


def resolve(project: LoadedSnapshot, country: str) -> Choice | None:
    """Return the choice for a device of a country, after its response was made."""
    choice = evaluate(project.answers.rules, ResolveBody(device_id="d", country=country))
    assert choice is None or project.answers.response(choice).status == 200
    return choice


def memory_of_projects(stored: bytes, number: int) -> int:
    """Return the memory in bytes of several projects after a resolve of each."""
    tracemalloc.start()
    projects = [LoadedSnapshot.decode("proj_1", stored) for _ in range(number)]
    for project in projects:
        assert resolve(project, "DE") is not None
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken


def test_stored_snapshot_is_decoded_with_compiled_conditions() -> None:
    snapshot = a_snapshot(targeted=(a_targeted_flow("a", Condition("country", "eq", "br")),))
    loaded = LoadedSnapshot.decode(snapshot.project_id, encode_snapshot(snapshot))
    ((flow,), (condition,)) = loaded.answers.rules.targeted, loaded.answers.rules.targeted[0].conditions
    assert flow.flow_id == "a"
    assert condition.holds({"country": "BR"})


def test_flow_for_everyone_in_stored_snapshot_does_not_hide_default() -> None:
    flows = (a_targeted_flow("everyone"), a_targeted_flow("half", rollout_buckets=5_000))
    rules = LoadedSnapshot.from_snapshot(a_snapshot(targeted=flows)).answers.rules
    assert [flow.flow_id for flow in rules.targeted] == ["half"]
    assert rules.fallback == Choice(Source.DEFAULT, "flow_default")
    rules = LoadedSnapshot.from_snapshot(a_snapshot(targeted=flows, default=None)).answers.rules
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
    assert large.size >= small.size + 10_000


@pytest.mark.parametrize("flows", [5, 50])
def test_counted_memory_is_within_20_percent_of_memory_after_a_resolve(flows: int) -> None:
    stored = a_stored_project(flows)
    warm = LoadedSnapshot.decode("proj_1", stored)
    assert resolve(warm, "DE") is not None
    # The least of several: threads of other tests may allocate memory, too.
    taken = min(memory_of_projects(stored, 20) for _ in range(5))
    assert 0.8 < warm.size * 20 / taken < 1.2


def test_garbage_collection_visits_few_objects_of_a_project() -> None:
    stored = a_stored_project(5)
    gc.collect()
    before = len(gc.get_objects())
    projects = [LoadedSnapshot.decode("proj_1", stored) for _ in range(100)]
    for project in projects:
        assert resolve(project, "DE") is not None
    gc.collect()
    assert (len(gc.get_objects()) - before) / len(projects) < 30


def test_repr_contains_no_secret_key() -> None:
    loaded = LoadedSnapshot.from_snapshot(a_snapshot())
    loaded.verified_keys[SECRET_KEY.encode()] = VerifiedKey("key_1", None)
    assert SECRET_KEY not in repr(loaded)
