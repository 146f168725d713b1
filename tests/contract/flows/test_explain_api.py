"""POST /api/projects/:id/explain (contract, section 3)."""

from typing import Any

import pytest

from tests.support.clients.management import User, data_of

IS_PRO = {"attribute": "attributes.plan", "operator": "eq", "value": "pro"}
IS_BRAZILIAN = {"attribute": "country", "operator": "eq", "value": "BR"}


@pytest.fixture
def project_id(alice: User) -> str:
    """Return the id of a project of alice's for iOS."""
    return str(alice.create_project(platforms=["ios"])["id"])


def _flow(user: User, project_id: str, percentage: float = 100, *conditions: object, **members: object) -> str:
    targeting = {"percentage": percentage, "conditions": conditions}
    body = {"projectId": project_id, "name": "Flow", "status": "active", "targeting": targeting, **members}
    return str(data_of(user.post("/api/flows", body), 201)["id"])


def _explain(user: User, project_id: str, **body: object) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.post(f"/api/projects/{project_id}/explain", {"deviceId": "d1", **body}))
    return shown


def _steps(explanation: dict[str, Any]) -> list[tuple[str, str | None, bool]]:
    return [(step["rule"], step["id"], step["matched"]) for step in explanation["steps"]]


def test_explanation_has_exactly_the_members_of_the_contract(alice: User, project_id: str) -> None:
    flow_id = _flow(alice, project_id, is_default=True)
    explanation = _explain(alice, project_id)
    assert explanation == {
        "flow_id": flow_id,
        "source": "default",
        "experiment_id": None,
        "variant": None,
        "steps": [
            {
                "rule": "override",
                "id": None,
                "matched": False,
                "reason": "The device is none of the project's QA devices",
            },
            {
                "rule": "default",
                "id": flow_id,
                "matched": True,
                "reason": "This is the default flow, which is for every device that no earlier rule has a flow for",
            },
        ],
    }


def test_skipped_rules_have_their_reasons(alice: User, project_id: str) -> None:
    nobody = _flow(alice, project_id, 0, priority=9)
    pros = _flow(alice, project_id, 100, IS_BRAZILIAN, IS_PRO, priority=8)
    brazilians = _flow(alice, project_id, 100, IS_BRAZILIAN, priority=7)
    _flow(alice, project_id, is_default=True, priority=6)
    explanation = _explain(alice, project_id, country="br")
    assert (explanation["flow_id"], explanation["source"]) == (brazilians, "targeting")
    assert _steps(explanation) == [
        ("override", None, False),
        ("flow", nobody, False),
        ("flow", pros, False),
        ("flow", brazilians, True),
    ]
    _, rollout, condition, matched = (step["reason"] for step in explanation["steps"])
    assert rollout.endswith("; the rollout has the first 0 buckets of 10000")
    assert condition == "The attribute plan of the device is unknown"
    assert matched == "The device is inside the flow's rollout, and all of the flow's conditions hold"
    unlike = _explain(alice, project_id, country="br", attributes={"plan": "free"})
    assert unlike["steps"][2]["reason"] == "The attribute plan of the device does not meet a condition"


def test_project_without_flows_is_explained(alice: User, project_id: str) -> None:
    explanation = _explain(alice, project_id)
    assert (explanation["flow_id"], explanation["source"]) == (None, None)
    assert _steps(explanation) == [("override", None, False), ("default", None, False)]
    assert explanation["steps"][1]["reason"] == "The project has no default flow"


def test_inactive_default_flow_is_named(alice: User, project_id: str) -> None:
    draft = _flow(alice, project_id, is_default=True, status="draft")
    explanation = _explain(alice, project_id)
    assert explanation["flow_id"] is None
    assert explanation["steps"][1] == {
        "rule": "default",
        "id": draft,
        "matched": False,
        "reason": "The default flow is not active",
    }


def test_flow_for_everyone_comes_after_default_flow(alice: User, project_id: str) -> None:
    everyones, nobodys = _flow(alice, project_id, priority=9), _flow(alice, project_id, 0)
    default = _flow(alice, project_id, is_default=True)
    explanation = _explain(alice, project_id)
    assert (explanation["flow_id"], explanation["source"]) == (default, "default")
    assert _steps(explanation) == [("override", None, False), ("flow", nobodys, False), ("default", default, True)]

    alice.put(f"/api/flows/{default}", {"status": "archived"})
    explanation = _explain(alice, project_id)
    assert (explanation["flow_id"], explanation["source"]) == (everyones, "targeting")
    assert _steps(explanation) == [
        ("override", None, False),
        ("flow", nobodys, False),
        ("default", None, False),
        ("flow", everyones, True),
    ]
    assert explanation["steps"][-1]["reason"] == "The flow is for every device that no earlier rule has a flow for"


def test_override_comes_before_any_other_rule(alice: User, project_id: str) -> None:
    _flow(alice, project_id)
    draft = _flow(alice, project_id, status="draft")
    alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"d1": draft}})
    explanation = _explain(alice, project_id, deviceId=" d1 ")
    assert (explanation["flow_id"], explanation["source"]) == (draft, "override")
    assert _steps(explanation) == [("override", draft, True)]


def test_foreign_platform_skips_every_rule(alice: User, project_id: str) -> None:
    everyones, targeted = _flow(alice, project_id), _flow(alice, project_id, 50)
    default = _flow(alice, project_id, is_default=True)
    explanation = _explain(alice, project_id, platform="android")
    assert explanation["flow_id"] is None
    assert _steps(explanation) == [
        ("override", None, False),
        ("flow", targeted, False),
        ("default", default, False),
        ("flow", everyones, False),
    ]
    assert {step["reason"] for step in explanation["steps"]} == {
        "The project does not have the platform android, so no rule has a flow for the device"
    }


def test_body_is_that_of_resolve(alice: User, project_id: str) -> None:
    path = f"/api/projects/{project_id}/explain"
    assert data_of(alice.post(path, {"deviceId": "d", "unknown": 1, "platform": None}))["flow_id"] is None
    refused = alice.post(path, {"platform": "windows", "locale": "?", "attributes": {"a": []}})
    assert refused.status_code == 400
    assert [(detail["field"], detail["code"]) for detail in refused.json["details"]] == [
        ("deviceId", "MISSING_PARAMETER"),
        ("platform", "INVALID_PARAMETER"),
        ("locale", "INVALID_PARAMETER"),
        ("attributes", "INVALID_PARAMETER"),
    ]
