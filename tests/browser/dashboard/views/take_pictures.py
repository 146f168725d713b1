"""Takes the pictures of the dashboard in docs/figures/.

Run it by `python -m tests.browser.dashboard.views.take_pictures docs/figures`. The pictures show a project of invented
users on a local stack, in the browser of the tests.
"""

import argparse
import io
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from cli.demo.project import DEMO_EMAIL
from tests.browser.dashboard.views.sample_project import create_sample_project
from tests.support.browser import SCREENS, running_browser
from tests.support.servers.local_stack import RunningStack

_USERS_A_DAY = 240
_QUALITY = 82
_MAX_BYTES = 80_000
#: The pixels of a CSS pixel, by the screen.
_SCALES = {"desktop": 1, "phone": 2}
#: The pages of the first template.
_TEMPLATE_PAGES = 3


@dataclass(frozen=True)
class Picture:
    """The picture of a view: the name of its file, its address, and clicks before it is taken."""

    name: str
    path: str
    screens: tuple[str, ...] = ("desktop",)
    dark: bool = False
    prepare: Callable[[Page], None] | None = None


def _open_publish(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name=re.compile("^Publish version"))).to_be_visible()


def _open_new_project(page: Page) -> None:
    page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_be_visible()
    # The pages of templates load when they have been in sight for a moment.
    for place in range(_TEMPLATE_PAGES):
        expect(dialog.locator("iframe").nth(place).content_frame.get_by_role("heading", level=1)).to_be_visible()


def _open_new_member(page: Page) -> None:
    page.get_by_role("button", name="Add member").click()
    expect(page.get_by_role("dialog").get_by_label("E-mail address")).to_be_visible()


_BOTH = ("desktop", "phone")
_PROJECT = "/projects/$projectId"
_FLOW = f"{_PROJECT}/flows/$flowId"
_PICTURES = (
    Picture("new-project", "/projects", prepare=_open_new_project),
    Picture("overview", f"{_PROJECT}/overview?period=30d", _BOTH),
    Picture("flows", f"{_PROJECT}/flows", _BOTH),
    Picture("editor", _FLOW, _BOTH),
    Picture("editor-dark", _FLOW, dark=True),
    Picture("publish", f"{_PROJECT}/flows/$editedFlowId", prepare=_open_publish),
    Picture("history", f"{_PROJECT}/flows/$editedFlowId/history"),
    Picture("targeting", f"{_FLOW}/targeting?device=phone-1&platform=ios&country=FR"),
    Picture("funnel", f"{_PROJECT}/analytics/funnel?flowId=$flowId"),
    Picture("counts", f"{_PROJECT}/analytics/counts?period=30d"),
    Picture("events", f"{_PROJECT}/analytics/events?period=30d"),
    Picture("responses", f"{_PROJECT}/analytics/responses?flowId=$flowId"),
    Picture("experiments", f"{_PROJECT}/experiments"),
    Picture("new-experiment", f"{_PROJECT}/experiments/new"),
    Picture("experiment", f"{_PROJECT}/experiments/$experimentId", _BOTH),
    Picture("theme", f"{_PROJECT}/themes/$themeId"),
    Picture("add-member", f"{_PROJECT}/settings/members", prepare=_open_new_member),
)


def main() -> None:
    """Start a stack, make the project, and write the pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="the name of one picture")
    arguments = parser.parse_args()
    pictures = [picture for picture in _PICTURES if arguments.only in {None, picture.name}]
    with tempfile.TemporaryDirectory() as folder, RunningStack(Path(folder)) as stack, running_browser() as browser:
        token = stack.token(DEMO_EMAIL)
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False, timeout=60) as api:
            project = create_sample_project(api, stack, users_a_day=_USERS_A_DAY)
        for picture in pictures:
            for screen in picture.screens:
                url = f"{stack.management_url}{project.address(picture.path)}#token={token}"
                content = _take(browser, url, picture, screen)
                file = arguments.folder / f"dashboard-{picture.name}{'' if screen == 'desktop' else f'-{screen}'}.webp"
                file.write_bytes(content)
                print(f"{file} {len(content) / 1000:.0f} kB", flush=True)  # noqa: T201 - the output of the command


def _take(browser: Browser, url: str, picture: Picture, screen: str) -> bytes:
    """Return the picture of a view as WebP."""
    width, height = SCREENS[screen]
    with browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=_SCALES[screen],
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="reduce",
        timezone_id="UTC",
    ) as context:
        page = context.new_page()
        page.goto(url)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        if picture.prepare:
            # Pages in frames keep a connection, so the network is not idle afterwards.
            picture.prepare(page)
        expect(page.locator(".mantine-Skeleton-root:visible")).to_have_count(0)
        return _webp(page.screenshot())


def _webp(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as image, io.BytesIO() as out:
        image.convert("RGB").save(out, "WEBP", quality=_QUALITY, method=6)
        content = out.getvalue()
    if len(content) > _MAX_BYTES:
        raise ValueError(f"a picture of {len(content)} bytes is too large")
    return content


if __name__ == "__main__":
    main()
