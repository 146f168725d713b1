"""The row of the funnel of a flow (contract, section 3)."""

from typing import Any

import pytest

from common.ids import IdPrefix, new_id
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment

MARCH = {"from": "2026-03-01", "to": "2026-03-05"}


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    screens = [{"type": "welcome", "name": "Hello"}, {"type": "paywall"}]
    return alice.create_flow(alice.create_project()["id"], screens=screens)


def _add(management: Management, flow: dict[str, Any], *events: dict[str, Any]) -> None:
    with management.database.transaction() as session:
        add_events(session, flow["project_id"], events)


def _of_flow(flow: dict[str, Any], device_id: str, event_type: str, day: int = 2, **columns: object) -> dict[str, Any]:
    return an_event(moment(day), device_id=device_id, event_type=event_type, flow_id=flow["id"], **columns)


def _of_screen(
    flow: dict[str, Any], number: int, device_id: str, event_type: str, second: float = 0, **columns: object
) -> dict[str, Any]:
    screen_id = flow["screens"][number]["id"]
    chosen = {"device_id": device_id, "event_type": event_type, "flow_id": flow["id"], "screen_id": screen_id}
    return an_event(moment(2, second=second), **{**chosen, **columns})


def _funnel(user: User, flow: dict[str, Any], **params: object) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.get("/api/analytics/funnel", params={"flowId": flow["id"], **MARCH, **params}))
    return shown


def test_a_funnel_has_exactly_the_members_of_the_contract(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    _add(
        management,
        flow,
        *(_of_flow(flow, device, "flow_started") for device in ("a", "b", "c", "d")),
        _of_flow(flow, "a", "flow_completed"),
        *(_of_screen(flow, 0, device, "screen_viewed") for device in ("a", "b", "c", "d")),
        *(_of_screen(flow, 0, device, "screen_completed", 1.5) for device in ("a", "b", "c")),
        _of_screen(flow, 1, "a", "screen_completed"),
    )
    hello, paywall = flow["screens"]
    assert _funnel(alice, flow) == {
        "flow_id": flow["id"],
        "from": "2026-03-01",
        "to": "2026-03-05",
        "started": 4,
        "completed": 1,
        "completion_rate": 0.25,
        "screens": [
            {
                "screen_id": hello["id"],
                "type": "welcome",
                "name": "Hello",
                "order": 0,
                "reached": 4,
                "completed": 3,
                "drop_off": 1,
                "drop_off_rate": 0.25,
                "entered_from_start_rate": 1,
                "median_seconds": 1.5,
            },
            {
                "screen_id": paywall["id"],
                "type": "paywall",
                "name": None,
                "order": 1,
                "reached": 1,
                "completed": 1,
                "drop_off": 0,
                "drop_off_rate": 0,
                "entered_from_start_rate": 0.25,
                "median_seconds": None,
            },
        ],
        "variants": None,
    }


def test_funnel_without_events_is_zeros(alice: User, flow: dict[str, Any]) -> None:
    funnel = _funnel(alice, flow)
    assert (funnel["started"], funnel["completed"], funnel["completion_rate"]) == (0, 0, 0)
    figures = ("reached", "completed", "drop_off", "drop_off_rate", "median_seconds")
    assert [tuple(screen[name] for name in figures) for screen in funnel["screens"]] == [(0, 0, 0, 0, None)] * 2


def test_a_flow_without_screens_has_a_funnel(management: Management, alice: User, flow: dict[str, Any]) -> None:
    empty = alice.create_flow(flow["project_id"], "Empty")
    _add(management, flow, _of_flow(empty, "a", "flow_started"))
    funnel = _funnel(alice, empty)
    assert (funnel["started"], funnel["screens"]) == (1, [])


def test_completed_users_have_started_in_the_period(management: Management, alice: User, flow: dict[str, Any]) -> None:
    _add(
        management,
        flow,
        _of_flow(flow, "both", "flow_started"),
        _of_flow(flow, "both", "flow_completed"),
        _of_flow(flow, "both", "flow_completed"),
        _of_flow(flow, "early", "flow_started", day=9),
        _of_flow(flow, "early", "flow_completed"),
        _of_flow(flow, "never started", "flow_completed"),
    )
    funnel = _funnel(alice, flow)
    assert (funnel["started"], funnel["completed"], funnel["completion_rate"]) == (1, 1, 1)


def test_the_median_is_over_users_of_their_first_times(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    _add(
        management,
        flow,
        *(_of_screen(flow, 0, device, "screen_viewed") for device in ("a", "b", "c")),
        _of_screen(flow, 0, "a", "screen_viewed", 50),
        _of_screen(flow, 0, "a", "screen_completed", 1),
        _of_screen(flow, 0, "a", "screen_completed", 70),
        _of_screen(flow, 0, "b", "screen_completed", 4),
        _of_screen(flow, 0, "d", "screen_completed", 99),
    )
    screen = _funnel(alice, flow)["screens"][0]
    assert (screen["reached"], screen["completed"], screen["median_seconds"]) == (4, 3, 2.5)


def test_funnel_has_the_current_screens_of_the_flow(management: Management, alice: User, flow: dict[str, Any]) -> None:
    _add(management, flow, _of_screen(flow, 0, "a", "screen_viewed"), _of_screen(flow, 1, "a", "screen_viewed"))
    alice.delete(f"/api/screens/{flow['screens'][0]['id']}")
    (screen,) = _funnel(alice, flow)["screens"]
    assert (screen["screen_id"], screen["order"], screen["reached"]) == (flow["screens"][1]["id"], 0, 1)


def test_an_experiment_splits_the_funnel_by_variant(management: Management, alice: User, flow: dict[str, Any]) -> None:
    experiment = management.add_experiment(flow["project_id"], flow["id"])

    def of_variant(device_id: str, variant: str | None, experiment_id: str = experiment) -> list[dict[str, Any]]:
        names: dict[str, Any] = {"experiment_id": experiment_id, "variant": variant}
        started = _of_flow(flow, device_id, "flow_started", **names)
        return [started, _of_screen(flow, 0, device_id, "screen_viewed", **names)]

    _add(
        management,
        flow,
        *of_variant("a", "b"),
        *of_variant("b", "a"),
        *of_variant("c", "a"),
        *of_variant("c", "b"),
        *of_variant("d", None),
        *of_variant("e", "a", "exp_2"),
        _of_flow(flow, "b", "flow_completed", experiment_id=experiment, variant="a"),
    )
    funnel = _funnel(alice, flow, experimentId=experiment)
    assert (funnel["started"], funnel["completed"], funnel["screens"][0]["reached"]) == (4, 1, 4)
    assert [variant.keys() for variant in funnel["variants"]] == [
        {"variant", "started", "completed", "completion_rate", "screens"}
    ] * 3
    shown = [
        (one["variant"], one["started"], one["completed"], one["completion_rate"], one["screens"][0]["reached"])
        for one in funnel["variants"]
    ]
    assert shown == [("a", 2, 1, 0.5, 2), ("b", 2, 0, 0, 2), (None, 1, 0, 0, 1)]
    unused = management.add_experiment(flow["project_id"], flow["id"])
    assert _funnel(alice, flow, experimentId=unused)["variants"] == []


def test_another_flows_events_do_not_count(management: Management, alice: User, flow: dict[str, Any]) -> None:
    other = alice.create_flow(flow["project_id"], "Other")
    _add(management, flow, _of_flow(other, "a", "flow_started"), _of_flow(flow, "a", "flow_completed"))
    funnel = _funnel(alice, flow)
    assert (funnel["started"], funnel["completed"]) == (0, 0)


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("", "MISSING_PARAMETER", "flowId"),
        ("flowId=x&period=5d", "INVALID_PARAMETER", "period"),
        ("flowId=x&from=2026-03-01", "MISSING_PARAMETER", "to"),
        ("flowId=x&group_by=day", "INVALID_PARAMETER", "group_by"),
    ],
)
def test_a_bad_query_is_refused(alice: User, query: str, code: str, field: str) -> None:
    refused = alice.get("/api/analytics/funnel", query_string=query)
    assert (refused.status_code, refused.json["code"], refused.json["details"][0]["field"]) == (400, code, field)


@pytest.mark.parametrize("figures", ["funnel", "paths", "responses"])
def test_flow_of_another_project_has_no_figures(
    management: Management, alice: User, flow: dict[str, Any], figures: str
) -> None:
    path = f"/api/analytics/{figures}"
    absent = alice.get(path, params={"flowId": new_id(IdPrefix.FLOW)})
    assert (absent.status_code, absent.json["code"]) == (404, "INVALID_FLOW")
    assert management.user("mallory").get(path, params={"flowId": flow["id"]}).content == absent.content
    other_id = alice.create_project("Other")["id"]
    assert alice.get(path, params={"flowId": flow["id"], "projectId": other_id}).content == absent.content
    assert alice.get(path, params={"flow_id": flow["id"], "project_id": flow["project_id"]}).status_code == 200
