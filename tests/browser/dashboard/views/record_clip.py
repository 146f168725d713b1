"""Records the moving picture of README.md: a text is edited and published, and the phone changes.

Run it by `python -m tests.browser.dashboard.views.record_clip docs/figures`. The dashboard and the phone are pages of a
local stack, in the browser of the tests.
"""

import argparse
import io
import re
import tempfile
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from cli.demo.project import DEMO_EMAIL
from tests.support.browser import running_browser
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_TEMPLATES = ("welcome_greeting", "question_goal", "paywall_trial")
_TITLE = "Three minutes to a better day"
#: In CSS pixels.
_DASHBOARD, _PHONE = (1320, 800), (390, 844)
_HEIGHT, _MARGIN = 560, 16
_BACKGROUND = (226, 230, 238)
_TYPING_MS, _PAUSE_MS, _LAST_MS = 110, 1300, 3200
_MAX_BYTES = 700_000


class _Clip:
    """The frames of the picture: the dashboard beside the phone, each with the time that it is shown."""

    def __init__(self, dashboard: Page, phone: Page) -> None:
        self._dashboard, self._phone = dashboard, phone
        self._frames: list[Image.Image] = []
        self._times: list[int] = []

    def add(self, time_ms: int) -> None:
        """Add a frame of both pages as they are."""
        parts = [_scaled(page.screenshot()) for page in (self._dashboard, self._phone)]
        width = sum(part.width for part in parts) + 3 * _MARGIN
        frame = Image.new("RGB", (width, _HEIGHT + 2 * _MARGIN), _BACKGROUND)
        left = _MARGIN
        for part in parts:
            frame.paste(part, (left, _MARGIN))
            left += part.width + _MARGIN
        self._frames.append(frame)
        self._times.append(time_ms)

    def webp(self) -> bytes:
        """Return the frames as a WebP that repeats for ever."""
        first, *others = self._frames
        with io.BytesIO() as out:
            first.save(
                out, "WEBP", save_all=True, append_images=others, duration=self._times, loop=0, quality=70, method=6
            )
            return out.getvalue()


def main() -> None:
    """Start a stack, make the project, and write the picture into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    file = parser.parse_args().folder / "edit-and-publish.webp"
    with tempfile.TemporaryDirectory() as folder, RunningStack(Path(folder)) as stack, running_browser() as browser:
        content = _record(browser, stack)
    if len(content) > _MAX_BYTES:
        raise ValueError(f"a picture of {len(content)} bytes is too large")
    file.write_bytes(content)
    print(f"{file} {len(content) / 1000:.0f} kB")  # noqa: T201 - the output of the command


def _record(browser: Browser, stack: RunningStack) -> bytes:
    token = stack.token(DEMO_EMAIL)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False) as api:
        project_id, flow_id = _create_flow(api)
        pages = _address_of_pages(api, stack, project_id)
    dashboard = _page(browser, _DASHBOARD)
    dashboard.goto(f"{stack.management_url}/dashboard/projects/{project_id}/flows/{flow_id}#token={token}")
    title = dashboard.get_by_role("textbox", name="Title", exact=True)
    expect(dashboard.frame_locator("iframe[title=Preview]").get_by_role("heading", level=1)).to_be_visible()
    phone = _page(browser, _PHONE)
    phone.goto(f"{pages}/onboarding/{flow_id}/1?deviceId=phone-1")
    phone.wait_for_load_state("networkidle")
    clip = _Clip(dashboard, phone)
    clip.add(_PAUSE_MS)
    title.fill("")
    for end in range(2, len(_TITLE) + 2, 2):
        title.fill(_TITLE[:end])
        clip.add(_TYPING_MS)
    expect(dashboard.get_by_role("status").filter(has_text="Saved ")).to_be_visible()
    clip.add(_PAUSE_MS)
    dashboard.keyboard.press("Control+Enter")
    publish = dashboard.get_by_role("dialog").get_by_role("button", name=re.compile("^Publish version"))
    expect(publish).to_be_enabled()
    publish.hover()
    clip.add(2 * _PAUSE_MS)
    publish.click()
    expect(dashboard.get_by_text("Version 2 is live")).to_be_visible()
    clip.add(_PAUSE_MS)
    eventually(lambda: _shows_title(phone))
    clip.add(_LAST_MS)
    return clip.webp()


def _page(browser: Browser, size: tuple[int, int]) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", color_scheme="light", timezone_id="UTC"
    )
    return context.new_page()


def _shows_title(phone: Page) -> bool:
    phone.reload(wait_until="networkidle")
    return phone.get_by_role("heading", name=_TITLE).is_visible()


def _create_flow(api: httpx.Client) -> tuple[str, str]:
    """Create a project with a live flow, and return the ids of both."""
    project = _data(api.post("/projects", json={"name": "Meadow"}))
    templates = {template["id"]: template for template in _data(api.get("/screen-templates", params={"limit": 100}))}
    screens = [
        {"type": template["type"], "name": template["name"], "content": template["default_content"]}
        for template in map(templates.__getitem__, _TEMPLATES)
    ]
    theme = {"name": "Meadow", "colors": {"primary": "#0f766e", "background": "#ffffff", "text": "#10201e"}}
    theme_id = _data(api.post("/themes", json={"projectId": project["id"], **theme}))["id"]
    flow = {"projectId": project["id"], "name": "Welcome", "status": "active", "is_default": True}
    created = _data(api.post("/flows", json={**flow, "theme_id": theme_id, "screens": screens}))
    return project["id"], created["id"]


def _address_of_pages(api: httpx.Client, stack: RunningStack, project_id: str) -> str:
    """Return the address below which the edge serves the pages of the project, once it knows the project."""
    [key] = _data(api.get(f"/projects/{project_id}/api-keys"))["secret_keys"]
    parameters = {"apiKey": key["secret_key"], "projectId": project_id}

    def address() -> str | None:
        response = httpx.get(f"{stack.edge_url}/api/global-config", params=parameters, trust_env=False)
        return str(response.json()["backendDomain"]) if response.is_success else None

    return eventually(address)


def _data(response: httpx.Response) -> Any:  # noqa: ANN401 - the data of a response
    return response.raise_for_status().json()["data"]


def _scaled(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as image:
        width = round(image.width * _HEIGHT / image.height)
        return image.convert("RGB").resize((width, _HEIGHT), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
