"""Draw the pictures of docs/hosted-pages.md: `make web`, then `.venv/bin/python -m tests.browser.pages.pictures`."""

import io
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser

from tests.browser.pages.bridge import listen
from tests.browser.pages.flows import QUESTIONS, TEMPLATES
from tests.browser.pages.page_server import PageServer, flow_page, running_page_server
from tests.support.browser import SCREENS, running_browser

FIGURES = Path(__file__).parents[3] / "docs" / "figures"
_GAP = 12
_BACKGROUND = (203, 208, 222)
_HEIGHT, _DATE = QUESTIONS[4:6]
_CUSTOM = {
    "type": "custom",
    "content": {"html": "<h1>Our promise</h1><p>No ads, no tracking. <a href='https://a.example'>How we do it</a></p>"},
}
_FOREST = {
    "colors": {"primary": "#1f7a4d", "background": "#f6f4ee", "text": "#1d2a22", "surface": "#ffffff"},
    "border_radius": {"button": 26, "card": 20},
    "typography": {"headingFontFamily": "Georgia"},
}
_ARABIC = [
    {
        "type": "welcome",
        "content": {
            "title": "أهلاً بك",
            "subtitle": "سؤالان قصيران ثم نبدأ.",
            "illustration": "welcome",
            "button": "ابدأ",
        },
    },
    {
        "type": "question_single_choice",
        "content": {"question": "ما هدفك؟", "options": ["الصحة", "العمل", "الفضول"], "button": "متابعة"},
    },
    {
        "type": "feature",
        "content": {
            "title": "ما يمكنك فعله",
            "items": [{"icon": "bolt", "title": "ابدأ بسرعة"}, {"icon": "bell", "title": "تذكير"}],
            "button": "متابعة",
        },
    },
    _HEIGHT,
]


class Picture(NamedTuple):
    """Screens beside each other."""

    name: str
    screens: list[dict[str, Any]]
    size: str
    width: int
    columns: int
    scheme: Literal["light", "dark"] = "light"
    locale: str = "en"
    theme: dict[str, Any] | None = None
    variables: dict[str, str] | None = None


_PICTURES = (
    Picture("hosted-pages", [TEMPLATES[0], TEMPLATES[10], TEMPLATES[14]], "phone", 270, 3),
    Picture("hosted-pages-screens", [*TEMPLATES[1:4], *TEMPLATES[7:10], TEMPLATES[11], _HEIGHT], "phone", 200, 4),
    Picture("hosted-pages-theme", [TEMPLATES[2], TEMPLATES[10], _DATE, TEMPLATES[14]], "phone", 200, 4, theme=_FOREST),
    Picture("hosted-pages-dark", _ARABIC, "phone", 200, 4, "dark", "ar"),
    Picture("hosted-pages-sizes", [TEMPLATES[0], TEMPLATES[12], _CUSTOM], "tablet", 270, 3),
)


def main() -> None:
    """Draw all pictures."""
    with running_page_server() as pages, running_browser() as browser:
        for picture in _PICTURES:
            draw(picture, pages, browser).save(FIGURES / f"{picture.name}.webp", quality=80, method=6)


def draw(picture: Picture, pages: PageServer, browser: Browser) -> Image.Image:
    """Return the picture."""
    width, height = SCREENS[picture.size]
    drawn = picture.width, picture.width * height // width
    rows = -(-len(picture.screens) // picture.columns)
    sheet = Image.new("RGB", (picture.columns * (drawn[0] + _GAP) + _GAP, rows * (drawn[1] + _GAP) + _GAP), _BACKGROUND)
    # Each screen is the second of its own flow of three, so that it has progress and a way back.
    for index, screen in enumerate(picture.screens):
        pages.html = flow_page([TEMPLATES[0], screen, TEMPLATES[14]], theme=picture.theme, variables=picture.variables)
        with browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=picture.scheme,
            reduced_motion="reduce",
            device_scale_factor=2,
            locale=picture.locale,
        ) as context:
            page = context.new_page()
            # Without an app a sign-up has no fields.
            listen(page, "flutter")
            page.goto(pages.url(query=f"&locale={picture.locale}"))
            page.locator(".footer .primary").click()
            page.wait_for_load_state("networkidle")
            page.evaluate("document.activeElement.blur()")
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(drawn, Image.Resampling.LANCZOS)
        row, column = divmod(index, picture.columns)
        sheet.paste(shot, (_GAP + column * (drawn[0] + _GAP), _GAP + row * (drawn[1] + _GAP)))
    return sheet


if __name__ == "__main__":
    main()
