"""The funnel by variant of hosted flows: apps resolve by a ticket, and pages report without a word on experiments."""

import uuid
from collections import Counter
from typing import Any

import httpx

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard
from tests.support.polling import eventually

NEW, OLD = "appVersion=2.4.0&locale=de", "appVersion=1.9.0&locale=de"


def test_funnel_by_variant_of_hosted_flows_counts_the_devices_of_the_experiment(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    project_id = dashboard.post("/projects", {"name": "Variants of pages"})["id"]
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    members = {
        "projectId": project_id,
        "status": "active",
        "screens": [{"type": "welcome", "content": {"title": "Hi"}}],
    }
    control = dashboard.post("/flows", {**members, "name": "a", "is_default": True})["id"]
    variant = dashboard.post("/flows", {**members, "name": "b", "status": "draft"})["id"]
    draft = {
        "projectId": project_id,
        "name": "Shorter",
        "audience": {"conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.0.0"}]},
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

    # The version of 20 devices is too old for the experiment. All of them see the flow of the control.
    devices = [(f"new {number}", NEW) for number in range(60)] + [(f"old {number}", OLD) for number in range(20)]
    given = {device: resolve(device, context) for device, context in devices}
    for device, context in devices:
        events = [
            {"eventType": name, "deviceId": device, "flowId": given[device]["flowId"], "eventId": uuid.uuid4().hex}
            for name in ("flow_started", "flow_completed")
        ]
        sent = events if given[device]["flowId"] == variant else events[:1]
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
