"""The row of the paths of a flow."""

from typing import Any

import pytest

from management_api.analytics import paths
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment

MARCH = {"from": "2026-03-01", "to": "2026-03-05"}


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    """Return a flow of alice's with three screens; a rule leads over the second one."""
    screens = [{"type": "welcome", "name": "Goal"}, {"type": "feature"}, {"type": "paywall"}]
    return alice.create_flow(alice.create_project()["id"], screens=screens)


class Walk:
    """The events of one device, each a second after the one before."""

    def __init__(self, flow: dict[str, Any], device_id: str, day: int = 2, **columns: object) -> None:
        self._flow, self._day = flow, day
        self._columns: dict[str, Any] = {"device_id": device_id, "flow_id": flow["id"], **columns}
        self.events: list[dict[str, Any]] = []
        self._last: str | None = None
        self._add("flow_started")

    def view(self, number: int, rule: str | None = None, **properties: object) -> "Walk":
        screen_id = self._flow["screens"][number]["id"]
        named = {"from_screen_id": self._last, "rule": rule, **properties}
        self._last = screen_id
        return self._add("screen_viewed", screen_id=screen_id, properties=named)

    def complete(self) -> "Walk":
        return self._add("flow_completed")

    def _add(self, event_type: str, **columns: object) -> "Walk":
        at = moment(self._day, second=len(self.events))
        self.events.append(an_event(at, event_type=event_type, **{**self._columns, **columns}))
        return self


def _add(management: Management, flow: dict[str, Any], *walks: Walk) -> None:
    with management.database.transaction() as session:
        add_events(session, flow["project_id"], [event for walk in walks for event in walk.events])


def _paths(user: User, flow: dict[str, Any], **params: object) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.get("/api/analytics/paths", params={"flowId": flow["id"], **MARCH, **params}))
    return shown


def _links(user: User, flow: dict[str, Any], **params: object) -> set[tuple[Any, ...]]:
    numbers = {screen["id"]: number for number, screen in enumerate(flow["screens"])}
    return {
        (
            numbers.get(link["from_screen_id"], link["from_screen_id"]),
            numbers.get(link["to_screen_id"], link["to_screen_id"]),
            link["rule"],
            link["users"],
            link["completed"],
        )
        for link in _paths(user, flow, **params)["links"]
    }


def test_paths_have_exactly_the_members_of_the_document(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    goal, feature, paywall = flow["screens"]
    _add(management, flow, Walk(flow, "a").view(0).view(2, "rule_1").complete(), Walk(flow, "b").view(0))
    link = {"from_screen_id": None, "to_screen_id": goal["id"], "rule": None, "users": 2, "completed": 1}
    assert _paths(alice, flow) == {
        "flow_id": flow["id"],
        "from": "2026-03-01",
        "to": "2026-03-05",
        "started": 2,
        "completed": 1,
        "screens": [
            {"screen_id": goal["id"], "name": "Goal", "type": "welcome", "order": 0, "reached": 2},
            {"screen_id": feature["id"], "name": None, "type": "feature", "order": 1, "reached": 0},
            {"screen_id": paywall["id"], "name": None, "type": "paywall", "order": 2, "reached": 1},
        ],
        "links": [
            link,
            {**link, "from_screen_id": goal["id"], "to_screen_id": paywall["id"], "rule": "rule_1", "users": 1},
            {**link, "from_screen_id": goal["id"], "to_screen_id": "left", "users": 1, "completed": 0},
            {**link, "from_screen_id": paywall["id"], "to_screen_id": "end", "users": 1},
        ],
    }


def test_paths_without_events_have_no_links(alice: User, flow: dict[str, Any]) -> None:
    shown = _paths(alice, flow)
    assert (shown["started"], shown["completed"], shown["links"]) == (0, 0, [])
    assert [screen["reached"] for screen in shown["screens"]] == [0, 0, 0]
    empty = alice.create_flow(flow["project_id"], "Empty")
    assert _paths(alice, empty)["screens"] == []


def test_back_adds_no_link_and_the_first_visit_counts(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    # Back over a branch: the other rule leads to the last screen, and leaves it.
    back = Walk(flow, "back").view(0).view(1, "r1").view(0, is_back=True).view(2, "r2")
    again = Walk(flow, "again").view(0).view(1, "r1").view(2).complete()
    # The same device takes another path the day after.
    later = Walk(flow, "again", day=3).view(0).view(2, "r2")
    _add(management, flow, later, back, again)
    assert _links(alice, flow) == {
        (None, 0, None, 2, 1),
        (0, 1, "r1", 2, 1),
        (0, 2, "r2", 1, 0),
        (1, 2, None, 1, 1),
        (2, "left", None, 1, 0),
        (2, "end", None, 1, 1),
    }
    assert (0, 2, "r2", 1, 0) in _links(alice, flow, **{"from": "2026-03-03"})


def test_users_without_a_screen_end_at_the_start(management: Management, alice: User, flow: dict[str, Any]) -> None:
    _add(management, flow, Walk(flow, "all passed over").complete(), Walk(flow, "gone at once"))
    assert _links(alice, flow) == {(None, "end", None, 1, 1), (None, "left", None, 1, 0)}


def test_views_that_name_no_screen_before_add_no_link(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    old = Walk(flow, "old")
    old.view(0)
    old.events[-1]["properties"] = {}
    odd = Walk(flow, "odd").view(0, from_screen_id=5).view(1, from_screen_id="x" * 101)
    _add(management, flow, old, odd, Walk(flow, "invented").view(0, rule="No rule"))
    assert _links(alice, flow) == {(None, 0, None, 1, 0), (0, "left", None, 1, 0)}
    assert [screen["reached"] for screen in _paths(alice, flow)["screens"]] == [3, 1, 0]


def test_a_deleted_screen_has_no_links(management: Management, alice: User, flow: dict[str, Any]) -> None:
    _add(management, flow, Walk(flow, "a").view(0).view(1).view(2).complete())
    alice.delete(f"/api/screens/{flow['screens'][1]['id']}")
    assert _links(alice, flow) == {(None, 0, None, 1, 1), (2, "end", None, 1, 1)}


def test_invented_rules_count_together_beyond_the_limit(
    management: Management, alice: User, flow: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "MAX_LINKS", 3)
    _add(management, flow, *(Walk(flow, f"d{n}").view(0, rule=f"invented_{n}") for n in range(6)))
    assert _links(alice, flow) == {
        (None, 0, "(other)", 3, 0),
        (None, 0, "invented_0", 1, 0),
        (0, "left", None, 6, 0),
    }


def test_an_experiment_and_a_variant_narrow_the_paths(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    experiment = management.add_experiment(flow["project_id"], flow["id"])
    _add(
        management,
        flow,
        Walk(flow, "a", experiment_id=experiment, variant="a").view(0).complete(),
        Walk(flow, "b", experiment_id=experiment, variant="b").view(0).view(1),
        Walk(flow, "none").view(0),
    )
    assert _links(alice, flow, experimentId=experiment) == {
        (None, 0, None, 2, 1),
        (0, 1, None, 1, 0),
        (0, "end", None, 1, 1),
        (1, "left", None, 1, 0),
    }
    assert _links(alice, flow, experimentId=experiment, variant="a") == {(None, 0, None, 1, 1), (0, "end", None, 1, 1)}
    shown = _paths(alice, flow, experimentId=experiment, variant="unknown")
    assert (shown["started"], shown["links"]) == (0, [])


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("", "MISSING_PARAMETER", "flowId"),
        ("flowId=x&period=5d", "INVALID_PARAMETER", "period"),
        ("flowId={flow}&variant=a", "MISSING_PARAMETER", "experimentId"),
        ("flowId=x&group_by=day", "INVALID_PARAMETER", "group_by"),
    ],
)
def test_a_bad_query_is_refused(alice: User, flow: dict[str, Any], query: str, code: str, field: str) -> None:
    refused = alice.get("/api/analytics/paths", query_string=query.format(flow=flow["id"]))
    assert (refused.status_code, refused.json["code"], refused.json["details"][0]["field"]) == (400, code, field)
