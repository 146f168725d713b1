"""Filters of the analytics that can match nothing are refused (contract, section 3)."""

import pytest

from common.ids import IdPrefix, new_id
from tests.support.clients.management import Management, User

FUNNEL = "/api/analytics/funnel"


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.mark.parametrize("path", ["/api/analytics", "/api/analytics/events"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("platform", "windows"),
        ("platform", "iOS"),
        ("platform", ""),
        ("eventType", "Flow"),
        ("eventType", "1st"),
        ("eventType", "a-b"),
        ("eventType", "a" * 65),
        ("event_type", " flow_started"),
    ],
)
def test_filter_by_an_impossible_value_is_invalid(
    alice: User, project_id: str, path: str, name: str, value: str
) -> None:
    refused = alice.get(path, params={"projectId": project_id, name: value})
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")


@pytest.mark.parametrize("path", ["/api/analytics", "/api/analytics/events", FUNNEL])
@pytest.mark.parametrize("is_malformed", [True, False])
def test_filter_by_an_experiment_of_another_project_is_not_found(
    management: Management, alice: User, project_id: str, path: str, *, is_malformed: bool
) -> None:
    other = alice.create_project("Other")["id"]
    foreign = management.add_experiment(other, management.add_flow(other))
    for experiment_id in ("exp_1", "x" * 200) if is_malformed else (foreign, new_id(IdPrefix.EXPERIMENT)):
        params = {"projectId": project_id, "experimentId": experiment_id}
        if path == FUNNEL:
            params["flowId"] = management.add_flow(project_id)
        refused = alice.get(path, params=params)
        assert (refused.status_code, refused.json["code"]) == (404, "NOT_FOUND"), experiment_id


@pytest.mark.parametrize("path", ["/api/analytics", "/api/analytics/events"])
def test_filter_by_a_custom_event_type_without_events_is_valid(alice: User, project_id: str, path: str) -> None:
    answer = alice.get(path, params={"projectId": project_id, "eventType": "app.opened_2", "platform": "android"})
    assert answer.status_code == 200
