"""Journeys through the members of a project: added, given another role, removed."""

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import sign_in_new_user
from tests.support.servers.local_stack import RunningStack


def test_member_is_added_changed_and_removed(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    newcomer = sign_in_new_user(api, stack, "newcomer")
    opened = visit(f"/dashboard/projects/{project_id}/settings/members")
    page = opened.page
    page.get_by_role("button", name="Add member").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("E-mail address").fill("nobody-like-this@example.com")
    dialog.get_by_role("button", name="Add member").click()
    expect(dialog.get_by_text("This person has not signed in yet.")).to_be_visible()
    dialog.get_by_label("E-mail address").fill(newcomer)
    dialog.get_by_label("Editor").check()
    dialog.get_by_role("button", name="Add member").click()
    expect(dialog).to_be_hidden()
    row = page.get_by_role("row").filter(has_text=newcomer)
    expect(row).to_contain_text("Changes and publishes flows")

    row.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Change role").click()
    page.get_by_role("dialog").get_by_label("Admin").check()
    page.get_by_role("dialog").get_by_role("button", name="Change role").click()
    expect(row).to_contain_text("manages members")

    row.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Remove member").click()
    page.get_by_role("dialog").get_by_role("textbox").fill(newcomer)
    page.get_by_role("dialog").get_by_role("button", name="Remove member").click()
    expect(row).to_be_hidden()
    assert len(api.get(f"/projects/{project_id}/members").json()["data"]) == 1
    opened.forget_problems("404")
