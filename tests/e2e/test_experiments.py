"""An experiment on the whole way round: from the draft, over phones, to its results and its winner."""

from typing import Any

import httpx

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.polling import eventually

DEVICES = [f"device {number}" for number in range(40)]


def _running_experiment(http: httpx.Client, addresses: Addresses, dashboard: Dashboard) -> tuple[Phone, dict[str, Any]]:
    project_id = dashboard.post("/projects", {"name": "Experimenting"})["id"]
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    # The control is the default and stays active, the other variant is a draft until it wins.
    default = {"projectId": project_id, "name": "a", "status": "active", "is_default": True}
    draft_flow = {"projectId": project_id, "name": "b"}
    flows = [dashboard.post("/flows", body)["id"] for body in (default, draft_flow)]
    variants = [
        {"key": name, "flow_id": flow_id, "weight": 50, "is_control": name == "a"}
        for name, flow_id in zip("ab", flows, strict=True)
    ]
    draft = dashboard.post("/experiments", {"projectId": project_id, "name": "Shorter", "variants": variants})
    return Phone(http, addresses.edge_url, project_id, key), dashboard.post(f"/experiments/{draft['id']}/start", {})


def test_experiment_collects_results_and_its_winner_reaches_all_phones(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    phone, experiment = _running_experiment(http, addresses, dashboard)

    def source() -> str | None:
        resolved = phone.resolved_flow(DEVICES[0])
        return resolved["assignment"]["source"] if resolved else None

    eventually(lambda: source() == "experiment", within=30)

    given = {device: phone.resolve(device).json() for device in DEVICES}
    users = {key: [one for one in DEVICES if given[one]["assignment"]["variant"] == key] for key in "ab"}
    for device in users["b"]:
        phone.report("flow_completed", device, given[device]["flowId"])

    def results() -> dict[str, Any]:
        shown: dict[str, Any] = dashboard.get(f"/experiments/{experiment['id']}/results")
        return shown

    def conversions() -> list[tuple[int, int]]:
        return [(variant["users"], variant["conversions"]) for variant in results()["variants"]]

    expected = [(len(users["a"]), 0), (len(users["b"]), len(users["b"]))]
    eventually(lambda: conversions() == expected, within=30)
    shown = results()
    assert (shown["users"], shown["excluded_multiple_variants"], shown["srm"]["mismatch"]) == (len(DEVICES), 0, False)
    assert shown["variants"][1]["p_value"] < 0.05
    assert shown["variants"][1]["probability_to_beat_control"] > 0.999

    dashboard.post(f"/experiments/{experiment['id']}/complete", {"winner": "b"})
    flow_of_b = experiment["variants"][1]["flow_id"]
    loser = users["a"][0]
    eventually(lambda: phone.resolve(loser).json()["flowId"] == flow_of_b, within=30)
    assert phone.resolve(loser).json()["assignment"]["source"] == "default"
    assert results()["users"] == len(DEVICES)
