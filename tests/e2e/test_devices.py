"""Single devices on the whole way round: a tester's, and one that is to be forgotten."""

import httpx

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.polling import eventually


def _project(http: httpx.Client, addresses: Addresses, dashboard: Dashboard) -> tuple[Phone, str, str]:
    """Return the phone of a new project, its default flow and a draft."""
    project_id = dashboard.post("/projects", {"name": "Journey"})["id"]
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    flow = {"projectId": project_id, "name": "Only", "status": "active", "is_default": True}
    default_id = dashboard.post("/flows", flow)["id"]
    draft_id = dashboard.post(f"/flows/{default_id}/duplicate", {})["id"]
    return Phone(http, addresses.edge_url, project_id, key), default_id, draft_id


def test_qa_device_gets_its_draft_and_is_not_counted(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    phone, default_id, draft_id = _project(http, addresses, dashboard)
    dashboard.put(f"/projects/{phone.project_id}/qa-devices", {"devices": {"tester": draft_id}})

    # A tester who asks before the map is on the edge is a device like others and is recorded; so somebody else asks
    # until the project's fourth revision is there.
    eventually(lambda: (phone.resolved_flow("somebody") or {}).get("configVersion") == 4, within=30)
    resolved = phone.resolve("tester").json()
    assert (resolved["flowId"], resolved["assignment"]["source"]) == (draft_id, "override")
    explanation = dashboard.post(f"/projects/{phone.project_id}/explain", {"deviceId": "tester"})
    assert (explanation["flow_id"], explanation["source"]) == (draft_id, "override")

    phone.report("flow_started", "somebody", default_id)
    overview_path = f"/projects/{phone.project_id}/stats"
    eventually(lambda: dashboard.get(overview_path)["overview"]["total_users"] > 0, within=30)
    assert dashboard.get(overview_path)["overview"]["total_users"] == 1
