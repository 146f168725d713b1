"""Media files on pages, from the reader of an upload to the phone: renditions, dark pages, movement, no shift."""

import hashlib
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from common.media_names import object_name
from common.wire.public_responses import PublicScreen, ScreenType
from management_api.media.facts import EXTENSIONS, ReadMedia, Role
from management_api.media.readers import lottie as lottie_reader
from management_api.media.readers import pictures as picture_reader
from publisher.media import AT_THE_EDGE, MediaRecord, ShownMedia
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import SCREENS
from tests.support.media_files import animation, encoded, lottie
from tests.support.polling import eventually

Json = dict[str, Any]


def _record(pages: PageServer, media_id: str, read: ReadMedia, **columns: object) -> MediaRecord:
    """Put the files of a media on the server, and return what the publisher reads of it."""
    files: list[Json] = []
    for file, content in zip(read.facts.files, read.contents, strict=True):
        name = object_name(hashlib.sha256(content).hexdigest(), EXTENSIONS[file.content_type])
        pages.media[f"/media/proj_1/{name}"] = bytes(content)
        entry = {"name": name, "role": file.role, "content_type": file.content_type}
        files.append({**entry, "width": file.width, "height": file.height})
    files.sort(key=lambda file: file["role"] != Role.MAIN)
    partners: Json = {"dark_media_id": None, "poster_media_id": None}
    of_fonts: Json = {"family": None, "weight": None, "style": None}
    values: Json = {"alt": "", "focal_point": None, **partners, **of_fonts, **columns}
    color = read.facts.placeholder_color
    return MediaRecord(id=media_id, kind=read.facts.kind, placeholder_color=color, files=files, **values)


def _show(pages: PageServer, *records: MediaRecord) -> None:
    """Serve a page with the first file."""
    screen = PublicScreen(
        id="screen_0",
        type=ScreenType.WELCOME,
        name=None,
        order=0,
        content={"title": "Hello", "image": {"media_id": records[0].id}},
        settings={},
    )
    media = ShownMedia("proj_1", {record.id: record for record in records}, AT_THE_EDGE.of_pages)
    (shown,) = media.screens([screen])
    pages.html = flow_page([{"type": "welcome", "content": shown.content}])


def _image(pages: PageServer, media_id: str, color: str, **columns: object) -> MediaRecord:
    read = picture_reader.read(encoded(Image.new("RGB", (1500, 600), color), "JPEG"), "image/jpeg")
    return _record(pages, media_id, read, **columns)


def test_phone_gets_the_rendition_of_its_width_without_a_shift(page: Page, pages: PageServer) -> None:
    _show(pages, _image(pages, "media_1", "red", alt="Our shop"))
    page.add_init_script(
        "window.shift = 0;"
        "new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shift += value }))"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    page.goto(pages.url(), wait_until="networkidle")
    image = page.get_by_role("img", name="Our shop")
    expect(image).to_be_visible()
    assert image.evaluate("(e) => [e.naturalWidth > 0, e.currentSrc.endsWith('.webp')]") == [True, True]
    assert len([path for path in pages.requests if path.startswith("/media/")]) == 1
    assert page.evaluate("window.shift") == 0
    box = image.bounding_box()
    assert box is not None
    assert abs(box["width"] / box["height"] - 1440 / 576) < 0.02


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_page_shows_the_dark_partner_alone(browser: Browser, pages: PageServer, scheme: Any) -> None:  # noqa: ANN401 - a literal
    dark = _image(pages, "media_2", "blue")
    light = _image(pages, "media_1", "red", dark_media_id="media_2", alt="Shop")
    _show(pages, light, dark)
    width, height = SCREENS["phone"]
    with browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(pages.url(), wait_until="networkidle")
        image = page.get_by_role("img", name="Shop")
        expect(image).to_have_count(1)
        loaded = {path.rpartition("/")[2] for path in pages.requests if path.startswith("/media/")}
        assert bool(loaded & {file["name"] for file in dark.files}) == (scheme == "dark")
        page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
        names = {file["name"] for file in (light if scheme == "dark" else dark).files}
        eventually(lambda: image.evaluate("(e) => e.currentSrc").rpartition("/")[2] in names)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_lottie_and_animations_stand_still_under_reduced_motion(
    browser: Browser,
    pages: PageServer,
    motion: Any,  # noqa: ANN401 - a literal
) -> None:
    width, height = SCREENS["phone"]
    drawn = _record(pages, "media_1", lottie_reader.read(lottie(), "application/json"))
    frames = _record(pages, "media_2", picture_reader.read(animation("GIF"), "image/gif"))
    with browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion) as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        _show(pages, drawn)
        page.goto(pages.url(), wait_until="networkidle")
        expect(
            page.locator(".picture.loaded svg" if motion == "no-preference" else ".picture.loaded img")
        ).to_be_visible()
        _show(pages, frames)
        page.goto(pages.url(), wait_until="networkidle")
        expect(page.locator(".picture.loaded img")).to_be_visible()
        source = page.locator(".picture img").evaluate("(e) => e.currentSrc").rpartition("/")[2]
        main, poster = (file["name"] for file in frames.files)
        assert source == (main if motion == "no-preference" else poster)
        assert problems == []
