"""Which flow a device gets, against an oracle that reads the contract naively."""

from hypothesis import given
from hypothesis import strategies as st

from common.bucketing import bucket_of
from common.conditions import Condition
from common.public_bodies import ResolveBody
from common.snapshot import Snapshot, TargetedFlow
from edge_api.answers.flow_selection import Device, choose_flow
from edge_api.snapshots.resident_snapshot import ResidentSnapshot
from tests.snapshots import a_default_flow, a_snapshot, a_targeted_flow

IS_PRO = Condition("attributes.plan", "eq", "pro")
IS_BRAZILIAN = Condition("country", "eq", "BR")


def chosen(snapshot: Snapshot, body: ResolveBody) -> str | None:
    """Tell which flow the body's device is given."""
    choice = choose_flow(ResidentSnapshot.of(snapshot), Device.of(body))
    return None if choice is None else choice.flow_id


def chosen_naively(snapshot: Snapshot, body: ResolveBody) -> str | None:
    """Read section 4 of the contract line by line, for the two conditions of these tests."""
    if body.platform is not None and body.platform not in snapshot.platforms:
        return None
    holds = {
        IS_PRO: (body.attributes or {}).get("plan") == "pro",
        IS_BRAZILIAN: (body.country or "").upper() == "BR",
    }
    matching = [
        flow.flow_id
        for flow in snapshot.targeted
        if bucket_of(flow.flow_id, body.device_id) < flow.rollout_buckets
        and all(holds[condition] for condition in flow.conditions)
    ]
    default = [snapshot.default.flow_id] if snapshot.default else []
    return next(iter(matching + default), None)


targeted_flows = st.builds(
    lambda flow_id, conditions, buckets: a_targeted_flow(flow_id, *conditions, rollout_buckets=buckets),
    st.text(min_size=1, max_size=8),
    st.lists(st.sampled_from([IS_PRO, IS_BRAZILIAN]), max_size=2),
    st.sampled_from([0, 1, 2_500, 5_000, 9_999, 10_000]),
)
snapshots = st.builds(
    lambda targeted, default, platforms: a_snapshot(targeted=targeted, default=default, platforms=platforms),
    st.lists(targeted_flows, max_size=5).map(tuple[TargetedFlow, ...]),
    st.one_of(st.none(), st.just(a_default_flow())),
    st.sampled_from([("ios",), ("android",), ("ios", "android")]),
)
bodies = st.builds(
    ResolveBody,
    device_id=st.text(min_size=1, max_size=12),
    platform=st.sampled_from([None, "ios", "android"]),
    country=st.sampled_from([None, "BR", "br", "PT"]),
    attributes=st.sampled_from([None, {}, {"plan": "pro"}, {"plan": "free"}, {"plan": True}]),
)


@given(snapshots, bodies)
def test_the_rules_are_asked_in_the_contracts_order(snapshot: Snapshot, body: ResolveBody) -> None:
    assert chosen(snapshot, body) == chosen_naively(snapshot, body)


def test_the_first_flow_that_matches_wins() -> None:
    snapshot = a_snapshot(targeted=(a_targeted_flow("a", IS_PRO), a_targeted_flow("b"), a_targeted_flow("c")))
    assert chosen(snapshot, ResolveBody(device_id="d")) == "b"
    assert chosen(snapshot, ResolveBody(device_id="d", attributes={"plan": "pro"})) == "a"


def test_a_platform_that_the_project_does_not_have_gets_nothing() -> None:
    snapshot = a_snapshot(platforms=("ios",), targeted=(a_targeted_flow("a"),))
    assert chosen(snapshot, ResolveBody(device_id="d", platform="android")) is None
    assert chosen(snapshot, ResolveBody(device_id="d", platform="ios")) == "a"
    assert chosen(snapshot, ResolveBody(device_id="d")) == "a"


def test_a_rollout_of_nobody_leaves_the_default() -> None:
    snapshot = a_snapshot(targeted=(a_targeted_flow("a", rollout_buckets=0),))
    assert chosen(snapshot, ResolveBody(device_id="d")) == "flow_default"


def test_the_device_id_and_custom_attributes_go_by_the_names_of_conditions() -> None:
    device = Device.of(ResolveBody(device_id="d", app_version="1.2", attributes={"plan": "pro", "deviceId": "x"}))
    assert device.attributes == {
        "deviceId": "d",
        "appVersion": "1.2",
        "attributes.plan": "pro",
        "attributes.deviceId": "x",
    }
