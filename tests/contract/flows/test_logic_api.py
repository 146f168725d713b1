"""Logic of flows over the API (logic, Model): written, refused, compared and copied."""

from typing import Any

import pytest
from falcon.testing import Result

from common.ids import IdPrefix, new_id
from tests.support.clients.management import Management, User, data_of

GOAL: dict[str, Any] = {
    "type": "question_single_choice",
    "content": {"question": "Goal?", "options": ["lose", "gain"]},
}
HELD = {"attribute": "platform", "operator": "eq", "value": "ios"}


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow(alice: User, project_id: str) -> dict[str, Any]:
    """Return a flow of three screens and a variable; the first screen leads to the third."""
    created = alice.create_flow(project_id, screens=[GOAL, GOAL, GOAL])
    first, _, third = (screen["id"] for screen in created["screens"])
    rules = [{"when": [{"attribute": f"answers.{first}", "operator": "eq", "value": "lose"}], "go_to": third}]
    data_of(alice.put(f"/api/screens/{first}", {"next": rules}))
    variables = [{"name": "goal", "formula": f"coalesce(answers.{first}, 1)"}]
    data_of(alice.put(f"/api/flows/{created['id']}", {"variables": variables}))
    flow: dict[str, Any] = data_of(alice.get(f"/api/flows/{created['id']}"))
    return flow


def refused(result: Result) -> tuple[int, list[tuple[str, str]]]:
    """Return the status of an error, and the field and the code of each detail."""
    return result.status_code, [(detail["field"], detail["code"]) for detail in result.json.get("details", [])]


def test_screen_and_flow_have_logic_only_where_there_is_some(alice: User, flow: dict[str, Any]) -> None:
    first, second, third = flow["screens"]
    [rule] = first["next"]
    assert (rule["id"], rule["go_to"]) == ("rule_1", third["id"])
    assert flow["variables"][0]["name"] == "goal"
    assert not {"show_if", "next"} & second.keys()
    cleared = data_of(alice.put(f"/api/screens/{first['id']}", {"next": []}))
    assert "next" not in cleared
    without = data_of(alice.put(f"/api/flows/{flow['id']}", {"variables": []}))
    assert "variables" not in without


def test_wrong_logic_is_refused_when_it_is_written(alice: User, flow: dict[str, Any]) -> None:
    path = f"/api/screens/{flow['screens'][0]['id']}"
    rule = {"id": "a", "when": [], "go_to": "end"}
    for members, fields in (
        ({"show_if": [HELD] * 21}, ["show_if"]),
        ({"show_if": [{**HELD, "attribute": "answer.goal"}]}, ["show_if.0"]),
        ({"show_if": [{**HELD, "attribute": "variables.Not-a-name"}]}, ["show_if.0"]),
        ({"show_if": [{**HELD, "operator": "like"}]}, ["show_if.0"]),
        ({"next": [rule, rule]}, ["next"]),
        ({"next": [{**rule, "id": str(n)} for n in range(21)]}, ["next"]),
        ({"next": [{"id": "Not an id", "go_to": "end", "else": 1}]}, ["next.0.id", "next.0.when", "next.0.else"]),
        ({"next": [{"when": []}]}, ["next.0.go_to"]),
    ):
        result = alice.put(path, members)
        assert (result.status_code, {detail["field"] for detail in result.json["details"]}) == (400, set(fields))
    wrong = [{"name": "a", "formula": "variables.b"}, {"name": "b", "formula": "1 +"}, {"name": "b", "formula": "1"}]
    result = alice.put(f"/api/flows/{flow['id']}", {"variables": wrong})
    assert refused(result) == (
        400,
        [(f"variables.{n}.{member}", "INVALID_PARAMETER") for n, member in enumerate(("formula", "formula", "name"))],
    )
    assert "at character 1: variables.b is not computed before" in result.json["details"][0]["message"]
    targeting = {"conditions": [{**HELD, "attribute": "answers.goal"}]}
    assert alice.put(f"/api/flows/{flow['id']}", {"targeting": targeting}).status_code == 400


def test_direct_write_with_a_wrong_target_is_refused(alice: User, flow: dict[str, Any]) -> None:
    first, second, _ = (screen["id"] for screen in flow["screens"])
    for target, code in ((first, "BACKWARD_JUMP"), (second, "BACKWARD_JUMP"), ("screen_x", "UNKNOWN_SCREEN")):
        result = alice.put(f"/api/screens/{second}", {"next": [{"when": [], "go_to": target}]})
        assert refused(result) == (400, [("next.0.go_to", code)])
    body = {"flowId": flow["id"], "type": "custom", "order": 3, "next": [{"when": [], "go_to": first}]}
    assert refused(alice.post("/api/screens", body)) == (400, [("next.0.go_to", "BACKWARD_JUMP")])
    screens = [{"type": "custom"}, {"type": "custom", "next": [{"when": [], "go_to": "screen_x"}]}]
    result = alice.post("/api/flows", {"projectId": flow["project_id"], "name": "Other", "screens": screens})
    assert refused(result) == (400, [("screens.1.next.0.go_to", "UNKNOWN_SCREEN")])


def test_order_or_deletion_that_breaks_a_rule_is_a_conflict(alice: User, flow: dict[str, Any]) -> None:
    first, second, third = (screen["id"] for screen in flow["screens"])
    backward, unknown = (f"screens.{first}.next", "BACKWARD_JUMP"), (f"screens.{first}.next", "UNKNOWN_SCREEN")
    order = alice.put(f"/api/flows/{flow['id']}/screens/order", {"screen_ids": [third, first, second]})
    assert refused(order) == (409, [backward])
    assert first in order.json["error"]
    assert refused(alice.put(f"/api/screens/{third}", {"order": 0})) == (409, [backward])
    assert refused(alice.delete(f"/api/screens/{third}")) == (409, [unknown])
    assert data_of(alice.get(f"/api/flows/{flow['id']}")) == flow


def test_draft_has_wrong_targets_as_errors_and_takes_ids_of_the_client(alice: User, flow: dict[str, Any]) -> None:
    path, made = f"/api/flows/{flow['id']}/draft", [new_id(IdPrefix.SCREEN) for _ in range(2)]
    screens = [
        {**GOAL, "id": made[0], "next": [{"id": "on", "when": [], "go_to": made[1]}]},
        {**GOAL, "id": made[1], "next": [{"id": "back", "when": [HELD], "go_to": made[0]}]},
    ]
    saved = data_of(alice.put(path, {"document": {"name": "Logic", "screens": screens}}), 201)
    assert [screen["next"] for screen in saved["document"]["screens"]] == [screen["next"] for screen in screens]
    problems = data_of(alice.post(f"{path}/validate"))
    assert [(p["field"], p["code"]) for p in problems["errors"]] == [
        (f"/screens/{made[1]}/next/0/go_to", "BACKWARD_JUMP")
    ]
    assert alice.post(f"/api/flows/{flow['id']}/publish", {"ignore_warnings": True}).status_code == 400


def test_diff_shows_rules_as_a_whole(alice: User, flow: dict[str, Any]) -> None:
    first = flow["screens"][0]
    document = {name: flow[name] for name in ("name", "targeting", "variables")}
    changed = [{**first["next"][0], "go_to": "end"}]
    screens = [{n: v for n, v in screen.items() if n != "order"} for screen in flow["screens"]]
    screens[0] = {**screens[0], "next": changed, "show_if": [HELD]}
    alice.put(f"/api/flows/{flow['id']}/draft", {"document": {**document, "screens": screens}})
    changes = data_of(alice.get(f"/api/flows/{flow['id']}/draft/diff"))["changes"]
    assert {change["path"]: (change["op"], change["after"]) for change in changes} == {
        f"/screens/{first['id']}/next": ("replace", changed),
        f"/screens/{first['id']}/show_if": ("add", [HELD]),
    }


def test_copy_names_its_own_screens(alice: User, flow: dict[str, Any]) -> None:
    first = flow["screens"][0]["id"]
    text = f"You chose {{{{ answers.{first} | nothing }}}} and {{{{answers.other}}}}"
    data_of(alice.put(f"/api/screens/{flow['screens'][2]['id']}", {"content": {**GOAL["content"], "title": text}}))
    made = data_of(alice.post(f"/api/flows/{flow['id']}/duplicate"), 201)
    copy = data_of(alice.get(f"/api/flows/{made['id']}"))
    own = [screen["id"] for screen in copy["screens"]]
    [rule] = copy["screens"][0]["next"]
    assert (rule["go_to"], rule["when"][0]["attribute"]) == (own[2], f"answers.{own[0]}")
    assert copy["variables"] == [{"name": "goal", "formula": f"coalesce(answers.{own[0]}, 1)"}]
    title = copy["screens"][2]["content"]["title"]
    assert title == f"You chose {{{{ answers.{own[0]} | nothing }}}} and {{{{answers.other}}}}"
