"""Journeys through experiments: from the form to a decision by devices at the edge; viewers only read."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.faults.device_clients import DeviceClients
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

DEVICES = [f"device-{number}" for number in range(120)]
#: By variant: every n-th device with it completes its flow.
_EVERY = {"control": 8, "variant_1": 1}


@pytest.fixture
def flows(api: httpx.Client, project_id: str) -> dict[str, str]:
    """Return the ids of the default flow and of a draft that may replace it."""

    def create(name: str, **members: Any) -> str:  # noqa: ANN401 - members of a flow
        flow = {"projectId": project_id, "name": name, "screens": [{"type": "welcome", "content": {"title": name}}]}
        return str(api.post("/flows", json={**flow, **members}).raise_for_status().json()["data"]["id"])

    return {"Tour": create("Tour", status="active", is_default=True), "Short tour": create("Short tour")}


@pytest.fixture
def draft(api: httpx.Client, project_id: str, flows: dict[str, str]) -> dict[str, Any]:
    """Return a draft of an experiment between the two flows."""
    variants = [
        {"key": "control", "name": "As it is", "flow_id": flows["Tour"], "weight": 50, "is_control": True},
        {"key": "variant_1", "name": "Shorter", "flow_id": flows["Short tour"], "weight": 50},
    ]
    body = {"projectId": project_id, "name": "Shorter tour", "variants": variants}
    created: dict[str, Any] = api.post("/experiments", json=body).raise_for_status().json()["data"]
    return created


@pytest.fixture
def crowd(api: httpx.Client, stack: RunningStack, project_id: str) -> DeviceClients:
    """Return the devices of the project's users."""
    return DeviceClients(urlsplit(stack.edge_url).port or 0, project_id, _secret_key(api, project_id))


def _secret_key(api: httpx.Client, project_id: str) -> str:
    keys = api.get(f"/projects/{project_id}/api-keys").json()["data"]
    return str(keys["secret_keys"][0]["secret_key"])


def _source(crowd: DeviceClients) -> str | None:
    try:
        return crowd.resolve(DEVICES[:1])[DEVICES[0]].source
    except AssertionError:
        # A new project takes a moment to reach the edge.
        return None


def _take_part(api: httpx.Client, stack: RunningStack, crowd: DeviceClients, experiment_id: str) -> None:
    """Let all devices resolve, and some of them complete their flows, until the results have them."""
    eventually(lambda: _source(crowd) == "experiment")
    resolved = crowd.resolve(DEVICES)
    events = []
    for variant, every in _EVERY.items():
        users = [device for device in DEVICES if resolved[device].variant == variant]
        events += [
            {"eventType": "flow_completed", "deviceId": device, "flowId": resolved[device].flow_id}
            for device in users[::every]
        ]
    project_id = api.get(f"/experiments/{experiment_id}").json()["data"]["project_id"]
    headers = {"X-Project-Id": project_id, "X-Secret-Key": _secret_key(api, project_id)}
    url = f"{stack.edge_url}/api/analytics/events"
    httpx.post(url, headers=headers, json={"events": events}, trust_env=False).raise_for_status()

    def counted() -> tuple[int, int]:
        results = api.get(f"/experiments/{experiment_id}/results").json()["data"]
        return results["users"], sum(variant["conversions"] for variant in results["variants"])

    eventually(lambda: counted() == (len(DEVICES), len(events)))


def _choose(page: Page, group: str, option: str) -> None:
    page.get_by_role("group", name=group).get_by_role("combobox", name="Flow").click()
    page.get_by_role("option", name=option, exact=True).click()


def test_experiment_goes_from_the_form_to_a_decision(
    visit: Visitor,
    api: httpx.Client,
    stack: RunningStack,
    project_id: str,
    flows: dict[str, str],
    crowd: DeviceClients,
) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/experiments")
    page = opened.page
    expect(page.get_by_text("Find out which flow works better")).to_be_visible()
    page.get_by_role("link", name="New experiment").click()
    page.get_by_role("button", name="Next: Variants").click()
    expect(page.get_by_text("Must have 1 to 100 characters")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_label("Name", exact=True).fill("Shorter tour")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Which flows compete?")).to_be_focused()

    _choose(page, "Variant 1", "Short tour")
    shares = page.get_by_label("Share", exact=True)
    shares.first.fill("60")
    page.get_by_role("button", name="Next: Who takes part").click()
    expect(page.get_by_role("status").filter(has_text="Shares sum to 110%; they must sum to 100%")).to_be_visible()
    page.get_by_role("button", name="Split evenly").click()
    opened.assert_accessible()
    page.reload()
    expect(page.get_by_role("group", name="Variant 1").get_by_label("Name")).to_have_value("Short tour")
    page.get_by_role("button", name="Next: Who takes part").click()
    page.get_by_role("button", name="Next: Check").click()
    expect(page.get_by_role("definition").filter(has_text="Everyone")).to_be_visible()
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Not started yet")).to_be_visible()
    unsaved = page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('unsaved:'))")
    assert unsaved == []
    [experiment] = api.get("/experiments", params={"projectId": project_id}).json()["data"]
    assert [(one["flow_id"], one["weight"]) for one in experiment["variants"]] == [(id_, 50) for id_ in flows.values()]

    page.get_by_role("button", name="Start experiment").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Tour, for: Everyone else")).to_be_visible()
    dialog.get_by_role("button", name="Start experiment").click()
    expect(page.get_by_text("Waiting for the first users")).to_be_visible()
    _take_part(api, stack, crowd, experiment["id"])
    page.reload()
    expect(page.get_by_text("Safe to decide: Short tour is better than Tour")).to_be_visible()
    expect(page.get_by_role("figure", name="Relative to Tour")).to_contain_text("Short tour")
    page.get_by_role("navigation", name="Where users leave").get_by_role("link", name="Short tour").click()
    expect(page.get_by_placeholder("By variant of…")).to_have_value("Shorter tour")
    page.get_by_role("link", name="Results of the experiment").click()
    page.get_by_role("button", name="Decide").click()
    expect(dialog.get_by_text("Short tour becomes the default flow, and is made active.")).to_be_visible()
    dialog.get_by_role("textbox").fill("Shorter tour")
    dialog.get_by_role("button", name="Complete with Short tour").click()
    expect(page.get_by_text("Short tour won", exact=True)).to_be_visible()

    def served() -> tuple[str, str]:
        resolution = crowd.resolve(DEVICES[:1])[DEVICES[0]]
        return resolution.source, resolution.flow_id

    eventually(lambda: served() == ("default", flows["Short tour"]))
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("combobox", name="Default flow")).to_have_value("Short tour")


@pytest.mark.slow
def test_experiment_is_edited_paused_resumed_and_deleted(
    visit: Visitor, api: httpx.Client, project_id: str, draft: dict[str, Any]
) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/experiments/{draft['id']}")
    page = opened.page

    def status() -> str:
        return str(api.get(f"/experiments/{draft['id']}").json()["data"]["status"])

    def choose(item: str) -> None:
        page.get_by_role("button", name="Actions for Shorter tour").click()
        page.get_by_role("menuitem", name=item).click()

    choose("Edit draft")
    page.get_by_label("What do you expect, and why?").fill("Fewer screens lose fewer users")
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Fewer screens lose fewer users")).to_be_visible()
    page.get_by_role("button", name="Start experiment").click()
    page.get_by_role("dialog").get_by_role("button", name="Start experiment").click()
    expect(page.get_by_text("Shorter tour is running")).to_be_visible()
    choose("Pause")
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    expect(page.get_by_role("main").get_by_text("Paused", exact=True)).to_be_visible()
    assert status() == "paused"
    choose("Resume")
    expect(page.get_by_role("dialog")).to_contain_text("Who gets itEveryone")
    opened.assert_accessible()
    page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    expect(page.get_by_role("main").get_by_text("Running", exact=True)).to_be_visible()
    choose("Edit")
    page.get_by_role("dialog").get_by_label("Share of these users that take part").fill("20")
    page.get_by_role("dialog").get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Everyone: 20% of them")).to_be_visible()

    page.get_by_role("button", name="Decide").click()
    page.get_by_role("dialog").get_by_role("radio", name="No winner").check()
    page.get_by_role("dialog").get_by_role("textbox").fill("Shorter tour")
    page.get_by_role("dialog").get_by_role("button", name="Complete without a winner").click()
    expect(page.get_by_text("Completed without a winner")).to_be_visible()
    choose("Delete")
    page.get_by_role("dialog").get_by_role("textbox").fill("Shorter tour")
    page.get_by_role("dialog").get_by_role("button", name="Delete experiment").click()
    expect(page.get_by_text("Find out which flow works better")).to_be_visible()


@pytest.mark.slow
def test_invalid_results_and_too_few_users_show_a_warning(
    visit: Visitor, api: httpx.Client, project_id: str, draft: dict[str, Any]
) -> None:
    api.post(f"/experiments/{draft['id']}/start").raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/experiments/{draft['id']}")
    page = opened.page
    expect(page.get_by_text("Waiting for the first users")).to_be_visible()
    results = api.get(f"/experiments/{draft['id']}/results?include=series").json()
    for variant in results["data"]["variants"]:
        variant.update(users=400, conversions=100, rate=0.25, rate_interval=[0.21, 0.29])
    results["data"]["variants"][1].update(lift=0.0, lift_interval=[-0.2, 0.25], sequential_p_value=1.0)
    results["data"].update(users=800, excluded_multiple_variants=3)
    estimate = {"users_per_day": 50, "baseline_rate": 0.25, "users_per_variant": 2500, "days": 100}
    page.route("**/results?*", lambda route: route.fulfill(json=results))
    page.route("**/estimate?*", lambda route: route.fulfill(json={"success": True, "data": estimate}))
    page.reload()
    expect(page.get_by_text("Not enough data yet (400 of 2,500 users)")).to_be_visible()
    expect(page.get_by_text("Left out: 3 devices that were given several variants.")).to_be_visible()
    opened.assert_accessible()
    results["data"]["srm"] = {"p_value": 0.00001, "mismatch": True}
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="Do not trust these results")).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("button", name="Decide").click()
    page.get_by_role("dialog").get_by_role("radio", name="Shorter").check()
    expect(page.get_by_role("dialog").get_by_text("The figures cannot be trusted")).to_be_visible()
