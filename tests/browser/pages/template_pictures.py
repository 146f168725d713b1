"""Draw the pictures of docs/reference/templates.md, and one of docs/hosted-pages.md, after `make web`."""

import sys
from pathlib import Path
from typing import Any

from PIL import Image

from management_api.templates.catalogue import FlowTemplate, flow_templates, theme_templates
from tests.browser.pages.page_server import running_page_server
from tests.browser.pages.pictures import FIGURES, Picture, draw
from tests.support.browser import SCREENS, running_browser

_WIDTH = 132
_THEMED = ("quiz_to_paywall", 4)
#: The same screens in three brands, one below the other.
_BRANDS, _BRANDED, _BRANDED_WIDTH = ("mono", "lavender", "citrus"), (0, 1, 4, 7), 180


def main(folder: Path = FIGURES, size: str = "phone", scheme: str = "light", locale: str = "en") -> None:
    """Draw each flow template, and three screens in each theme template."""
    with running_page_server() as pages, running_browser() as browser:
        for template in flow_templates():
            draw(_flow(template, size, scheme, locale), pages, browser).save(
                folder / f"template-{template.id.replace('_', '-')}.webp", quality=75, method=6
            )
        themes = {theme.id: _style(theme.theme) for theme in theme_templates()}
        [flow] = [template for template in flow_templates() if template.id == _THEMED[0]]
        picture = _flow(flow, size, scheme, locale)
        for name, theme in themes.items():
            themed = picture._replace(screens=picture.screens[: _THEMED[1]], columns=_THEMED[1], theme=theme)
            draw(themed, pages, browser).save(folder / f"theme-{name}.webp", quality=75, method=6)
        branded = picture._replace(
            screens=[picture.screens[index] for index in _BRANDED], columns=len(_BRANDED), width=_BRANDED_WIDTH
        )
        rows = [draw(branded._replace(theme=themes[name]), pages, browser) for name in _BRANDS]
        sheet = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)))
        for index, row in enumerate(rows):
            sheet.paste(row, (0, index * row.height))
        sheet.save(folder / "hosted-pages-brands.webp", quality=80, method=6)


def _flow(template: FlowTemplate, size: str, scheme: str, locale: str) -> Picture:
    screens = [
        {name: value for name, value in screen.items() if name in {"type", "name", "content", "settings"}}
        for screen in template.flow["screens"]
    ]
    return Picture(
        template.id,
        [{**screen, "settings": _still(screen.get("settings", {}))} for screen in screens],
        size,
        _WIDTH if SCREENS[size][0] < 500 else 2 * _WIDTH,
        len(screens),
        scheme,  # type: ignore[arg-type]
        locale,
        _style(template.theme),
        {variable["name"]: variable["formula"] for variable in template.flow.get("variables", ())},
    )


def _still(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings of a screen that waits for its picture."""
    return {name: value for name, value in settings.items() if name != "auto_advance_seconds"}


def _style(theme: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    style = {name: value for name, value in theme.items() if name not in {"name", "description", "borderRadius"}}
    return {**style, "border_radius": theme["borderRadius"]}


if __name__ == "__main__":
    main(*(Path(argument) if place == 0 else argument for place, argument in enumerate(sys.argv[1:])))  # type: ignore[arg-type]
