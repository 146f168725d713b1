"""Media files on pages, from the reader of an upload to the phone: renditions, dark pages, movement, no shift."""

import dataclasses
import hashlib
from typing import Any

import msgspec
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from common.media_names import object_name
from common.wire.public_responses import PublicScreen, PublicTheme, ScreenType
from management_api.media.facts import EXTENSIONS, ReadMedia, Role
from management_api.media.readers import fonts as font_reader
from management_api.media.readers import lottie as lottie_reader
from management_api.media.readers import pictures as picture_reader
from publisher.media import AT_THE_EDGE, MediaRecord, ShownMedia
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import SCREENS
from tests.support.media_files import ARIAL_WIDTHS, animation, encoded, font, lottie, mp4, picture
from tests.support.polling import eventually

Json = dict[str, Any]


_SUM_OF_SHIFTS = """
    window.shift = 0
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shift += value }))
        .observe({ type: "layout-shift", buffered: true })
"""


_NEXT_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def _record(pages: PageServer, media_id: str, read: ReadMedia, **columns: object) -> MediaRecord:
    """Put the files of a media on the server, and return what the publisher reads of it."""
    files: list[Json] = []
    for file, content in zip(read.facts.files, read.contents, strict=True):
        name = object_name(hashlib.sha256(content).hexdigest(), EXTENSIONS[file.content_type])
        pages.media[f"/media/proj_1/{name}"] = bytes(content)
        entry = {"name": name, "role": file.role, "content_type": file.content_type}
        files.append({**entry, "width": file.width, "height": file.height})
    files.sort(key=lambda file: file["role"] != Role.MAIN)
    facts = msgspec.to_builtins(msgspec.structs.replace(read.facts, files=[]))
    names = [field.name for field in dataclasses.fields(MediaRecord)]
    values: Json = {**dict.fromkeys(names), "alt": "", **{name: facts[name] for name in names if name in facts}}
    return MediaRecord(**{**values, **columns, "id": media_id, "files": files})


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
    page.add_init_script(_SUM_OF_SHIFTS)
    page.goto(pages.url(), wait_until="networkidle")
    image = page.get_by_role("img", name="Our shop")
    expect(image).to_be_visible()
    assert image.evaluate("(e) => [e.naturalWidth > 0, e.currentSrc.endsWith('.webp')]") == [True, True]
    assert len([path for path in pages.requests if path.startswith("/media/")]) == 1
    assert page.evaluate("window.shift") == 0
    box = image.bounding_box()
    assert box is not None
    assert abs(box["width"] / box["height"] - 1440 / 576) < 0.02


@pytest.mark.parametrize("is_measured", [True, False])
def test_late_font_of_a_brand_shifts_nothing(page: Page, pages: PageServer, is_measured: bool) -> None:  # noqa: FBT001
    widths = {letter: round(width * (1.1 + ord(letter) % 5 / 50)) for letter, width in ARIAL_WIDTHS.items()}
    read = font_reader.read(font("Brand", 400, widths=widths, ascent=1150, descent=380), "font/ttf")
    brand = _record(pages, "media_1", read, **({} if is_measured else {"metrics": None}))
    typography = {"fontMediaId": "media_1"}
    theme = PublicTheme(id="theme_1", name="Brand", colors={}, typography=typography, border_radius={})
    shown = ShownMedia("proj_1", {"media_1": brand}, AT_THE_EDGE.of_pages).theme(theme)
    texts = {"title": "Plan your week with us", "subtitle": "Tell us what you like, and we find what fits your time"}
    screen = {"type": "welcome", "content": {**texts, "image_url": "https://a.example/none.png"}}
    pages.html = flow_page([screen, screen], theme={"colors": {}, "typography": shown.typography})
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks its handlers
    page.route("https://a.example/*", lambda route: route.fulfill(body=encoded(Image.new("RGB", (9, 9)), "PNG")))
    page.add_init_script(_SUM_OF_SHIFTS)
    page.goto(pages.url(), wait_until="commit")
    heading = page.get_by_role("heading", name="Plan your week")
    expect(heading).to_be_visible()
    held[0].fallback()
    page.evaluate("document.fonts.load('1em theme-font')")
    page.evaluate(_NEXT_FRAMES)
    assert heading.evaluate("(e) => document.fonts.check('700 1em theme-font')")
    assert (page.evaluate("window.shift") == 0) is is_measured


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
def test_files_that_move_stand_still_under_reduced_motion_alone(
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
        pages.media |= {"/media/film.mp4": mp4(), "/media/poster.png": picture("PNG")}
        film = {"url": "/media/film.mp4", "kind": "video", "poster": "/media/poster.png", "width": 64, "height": 48}
        pages.html = flow_page([{"type": "welcome", "settings": {"layout": "cover"}, "content": {"image": film}}])
        page.goto(pages.url(), wait_until="networkidle")
        expect(page.locator("[data-layout=cover] video")).to_have_count(1 if motion == "no-preference" else 0)
        expect(page.locator("[data-layout=cover] img")).to_have_count(0 if motion == "no-preference" else 1)
        assert problems == []
