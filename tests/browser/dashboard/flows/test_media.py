"""Pictures in the editor: from a file of the user to the phone."""

from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.browser import axe_violations_in_both_schemes
from tests.support.media_files import encoded, mp4
from tests.support.servers.local_stack import RunningStack

pytestmark = pytest.mark.slow


def test_picture_is_cut_described_and_published_and_stands_for_a_video(
    visit: Visitor, api: httpx.Client, stack: RunningStack, project_id: str
) -> None:
    screens = [{"type": "welcome", "name": "Hello", "content": {"title": "Good morning"}}]
    flow: dict[str, Any] = {"projectId": project_id, "name": "Tour", "status": "active", "screens": screens}
    flow_id = api.post("/flows", json=flow).raise_for_status().json()["data"]["id"]
    page = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}").page
    page.get_by_role("button", name="Choose a picture").click()
    picker = page.get_by_role("dialog", name="Choose a picture")
    expect(picker.get_by_text("No pictures yet")).to_be_visible()
    photo = encoded(Image.linear_gradient("L").resize((1200, 600)).convert("RGB"), "JPEG")
    with page.expect_file_chooser() as chooser:
        picker.get_by_role("button", name="Upload a file").click()
    chooser.value.set_files({"name": "shop.jpg", "mimeType": "image/jpeg", "buffer": photo})
    picker.get_by_text("1:1", exact=True).click()
    picker.get_by_role("button", name="Upload", exact=True).click()
    picker.get_by_role("textbox", name="Description for people who do not see it").fill("Our shop")
    picker.get_by_role("button", name="The part that stays in sight").click(position={"x": 10, "y": 10})
    expect(picker.get_by_text("600 pixels")).to_be_visible()
    assert axe_violations_in_both_schemes(page) == []
    picker.get_by_role("button", name="Use this file").click()
    expect(picker).to_be_hidden()
    shown = page.frame_locator("iframe[title=Preview]").get_by_role("img", name="Our shop")
    expect(shown).to_be_visible()
    # A click on the picture leads to its field.
    page.get_by_role("button", name="Flow settings").click()
    shown.click()
    expect(page.get_by_text("shop.jpg")).to_be_visible()
    expect(page.get_by_role("region", name="Weight on a phone")).to_contain_text("KB of files for this screen")
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()

    # A video needs a still picture, which is the one that is there.
    page.get_by_role("button", name="Choose another picture").click()
    with page.expect_file_chooser() as chooser:
        picker.get_by_role("button", name="Upload a file").click()
    chooser.value.set_files({"name": "tour.mp4", "mimeType": "video/mp4", "buffer": mp4()})
    expect(picker.get_by_text("Choose the still picture of tour.mp4")).to_be_visible()
    assert axe_violations_in_both_schemes(page) == []
    picker.get_by_role("list").get_by_role("button", name="shop.jpg").click()
    expect(picker.get_by_label("Name", exact=True)).to_have_value("tour.mp4")
    expect(picker.get_by_role("list").get_by_role("button", name="Video tour.mp4")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Publish", exact=True).click()
    dialog = page.get_by_role("dialog", name="Publish the draft")
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(dialog).to_be_hidden()

    document = api.get(f"/flows/{flow_id}").json()["data"]
    video, media = api.get("/media", params={"projectId": project_id}).json()["data"]
    assert (video["kind"], video["poster_media_id"]) == ("video", media["id"])
    assert document["screens"][0]["content"]["image_url"] == {"media_id": media["id"]}
    assert (media["alt"], media["width"], media["focal_point"]["x"] < 0.2) == ("Our shop", 600, True)
    file = httpx.get(media["url"], trust_env=False)
    assert (file.status_code, media["url"].startswith(stack.edge_url)) == (200, True)
