"""Hosted flows with logic, one of them published by a schedule, as the variants of an experiment.

Apps resolve by a ticket, and pages report without a word on experiments.
"""

import uuid
from collections import Counter
from datetime import timedelta
from typing import Any

import httpx

from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp, utc_now
from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard
from tests.support.polling import eventually

NEW, OLD = "appVersion=2.4.0&locale=de", "appVersion=1.9.0&locale=de"
IS_NEW = {"attribute": "appVersion", "operator": "semver_gte", "value": "2.0.0"}


def _document(name: str, condition: dict[str, Any]) -> dict[str, Any]:
    """Return a flow whose first screen leads to its last one where the condition holds."""
    first, second, last = (new_id(IdPrefix.SCREEN) for _ in range(3))
    rule = {"id": f"rule_{name}", "when": [condition], "go_to": last}
    screens = [{"id": screen, "type": "welcome", "content": {"title": "Hi"}} for screen in (first, second, last)]
    return {"name": name, "screens": [{**screens[0], "next": [rule]}, *screens[1:]]}


def _visit(document: dict[str, Any], *, is_short: bool, completes: bool) -> list[dict[str, Any]]:
    first, second, last = document["screens"]
    rule = first["next"][0]["id"] if is_short else None
    views = [
        {"screenId": first["id"], "properties": {"from_screen_id": None, "rule": None}},
        {"screenId": (last if is_short else second)["id"], "properties": {"from_screen_id": first["id"], "rule": rule}},
    ]
    ends = [{"eventType": "flow_completed"}] if completes else []
    return [{"eventType": "flow_started"}, *({"eventType": "screen_viewed", **view} for view in views), *ends]


def test_variants_with_logic_have_pages_a_funnel_and_paths_of_their_own(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    project_id = dashboard.post("/projects", {"name": "Variants of pages"})["id"]
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    members = {"projectId": project_id, "screens": [{"type": "welcome", "content": {"title": "Hi"}}]}
    control = dashboard.post("/flows", {**members, "name": "a", "status": "active", "is_default": True})["id"]
    variant = dashboard.post("/flows", {**members, "name": "b", "status": "draft"})["id"]
    is_old = {**IS_NEW, "operator": "semver_lt"}
    documents = {control: _document("a", is_old), variant: _document("b", IS_NEW)}
    for flow_id, document in documents.items():
        dashboard.put(f"/flows/{flow_id}/draft", {"document": document})
    soon = {"action": "publish", "run_at": format_timestamp(utc_now() + timedelta(seconds=1))}
    dashboard.post(f"/flows/{control}/schedules", soon)
    dashboard.post(f"/flows/{variant}/publish", {})
    eventually(lambda: dashboard.get(f"/flows/{control}")["screens"][0].get("next"), within=30)
    draft = {
        "projectId": project_id,
        "name": "Shorter",
        "audience": {"conditions": [IS_NEW]},
        "variants": [
            {"key": "a", "flow_id": control, "weight": 50, "is_control": True},
            {"key": "b", "flow_id": variant, "weight": 50, "is_control": False},
        ],
    }
    experiment_id = dashboard.post("/experiments", draft)["id"]
    dashboard.post(f"/experiments/{experiment_id}/start", {})

    def ticket_url() -> str | None:
        found = http.get(f"{addresses.edge_url}/api/global-config?apiKey={key}&projectId={project_id}")
        url: str | None = found.json().get("backendDomain")
        return url

    url = eventually(ticket_url, within=30)

    def resolve(device: str, context: str) -> dict[str, Any]:
        path = f"{url}/api/onboarding/resolve?projectId={project_id}&deviceId={device}&{context}"
        resolved: dict[str, Any] = http.get(path).json()
        return resolved

    eventually(lambda: resolve("first", NEW).get("assignment", {}).get("variant") is not None, within=30)
    for flow_id, document in documents.items():
        page = http.get(f"{url}/onboarding/{flow_id}/1?deviceId=first").text
        assert f'"id":"rule_{document["name"]}"' in page
        assert "/logic." in page

    # The version of 20 devices is too old for the experiment. All of them see the flow of the control.
    devices = [(f"new {number}", NEW) for number in range(60)] + [(f"old {number}", OLD) for number in range(20)]
    given = {device: resolve(device, context) for device, context in devices}
    for device, context in devices:
        flow_id = given[device]["flowId"]
        is_short, completes = flow_id == variant or context == OLD, flow_id == variant
        visit = _visit(documents[flow_id], is_short=is_short, completes=completes)
        sent = [{**event, "deviceId": device, "flowId": flow_id, "eventId": uuid.uuid4().hex} for event in visit]
        answer = http.post(f"{url}/api/analytics/events?{context}", json={"events": sent})
        assert answer.json()["accepted"] == len(sent)

    expected = Counter(given[device]["assignment"]["variant"] for device, _ in devices)
    assert expected[None] == 20

    def counts(flow_id: str) -> list[tuple[str | None, int, int]]:
        funnel = dashboard.get(f"/analytics/funnel?flowId={flow_id}&experimentId={experiment_id}&period=1d")
        return [(shown["variant"], shown["started"], shown["completed"]) for shown in funnel["variants"]]

    eventually(lambda: counts(control) == [("a", expected["a"], 0)], within=30)
    eventually(lambda: counts(variant) == [("b", expected["b"], expected["b"])], within=30)
    eventually(lambda: dashboard.get(f"/experiments/{experiment_id}/results")["users"] == 60 + 1, within=30)

    def taken(flow_id: str, key: str) -> set[tuple[str, str | None, int]]:
        """Return the ways of a variant's users from the first screen of a flow."""
        query = f"flowId={flow_id}&experimentId={experiment_id}&variant={key}&period=1d"
        first = documents[flow_id]["screens"][0]["id"]
        links = dashboard.get(f"/analytics/paths?{query}")["links"]
        return {
            (link["to_screen_id"], link["rule"], link["users"]) for link in links if link["from_screen_id"] == first
        }

    _, second, _ = (screen["id"] for screen in documents[control]["screens"])
    _, _, last = (screen["id"] for screen in documents[variant]["screens"])
    assert taken(control, "a") == {(second, None, expected["a"])}
    assert taken(variant, "b") == {(last, "rule_b", expected["b"])}
