"""Warnings of texts that are hard to read: on the colours of a theme, and on gradients and images behind texts."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from common.colors import MIN_CONTRAST, contrast_ratio, mixed
from common.errors import Detail
from management_api.db.models.media import Media

Json = Mapping[str, Any]


class ThemeProblem(StrEnum):
    """The code of a warning of a theme."""

    LOW_CONTRAST = "LOW_CONTRAST"


#: The colours of a theme that leaves them out, as the hosted pages have them.
DEFAULT_COLORS: Mapping[str, str] = {
    "background": "#ffffff",
    "text": "#111827",
}
DARK_COLORS: Mapping[str, str] = {
    "background": "#0b0b0f",
    "text": "#f4f4f5",
}


def palette_warnings(colors: Json, field: str) -> Iterator[Detail]:
    """Yield the warnings of the palettes of a theme: of light devices, and of dark ones."""
    palettes = [(colors, DEFAULT_COLORS, ""), (_dark_palette(colors), DARK_COLORS, " on dark devices")]
    for palette, defaults, place in palettes:
        for text, background, ratio in contrast_of_texts(palette, defaults):
            if ratio < MIN_CONTRAST:
                yield _low(field, ratio, f"{text} and {background}{place}")


def contrast_of_texts(
    colors: Mapping[str, str], defaults: Mapping[str, str] = DEFAULT_COLORS
) -> Iterator[tuple[str, str, float]]:
    """Yield the names of a text colour and its background, and their contrast from 1 to 21.

    Texts stand on the background, and on the surface where the theme has one.
    """
    chosen = {**defaults, **colors}
    if colors.keys() & {"text", "background"}:
        yield "text", "background", contrast_ratio(chosen["text"], chosen["background"])
    if "textSecondary" in colors:
        yield "textSecondary", "background", contrast_ratio(chosen["textSecondary"], chosen["background"])
    if "surface" in colors:
        yield "text", "surface", contrast_ratio(chosen["text"], chosen["surface"])


def background_warning(session: Session, project_id: str, theme: Json, field: str) -> Iterator[Detail]:
    """Yield a warning if the texts of a theme are hard to read on its gradient or its image.

    Images have the tones of their upload. Where these are unknown, only the page can help: it adds a scrim.
    """
    background, colors = theme.get("background"), theme.get("colors", {})
    if not isinstance(background, dict):
        return
    light = {**(DARK_COLORS if theme.get("appearance") == "dark" else DEFAULT_COLORS), **colors}
    dark = _dark_palette(colors)
    is_image = "media_id" in background
    if is_image:
        behind, behind_dark = _tones(session, project_id, background["media_id"])
    else:
        # Pages choose a text by the gradient where the theme has none.
        behind = behind_dark = background["gradient"] if "text" in colors else ()
    ratio = _ratio(light, behind, background)
    # A dark palette with a background of its own takes the place of a gradient.
    if dark and (is_image or "background" not in dark):
        ratio = min(ratio, _ratio({**DARK_COLORS, **dark}, behind_dark, background))
    if ratio < MIN_CONTRAST:
        yield _low(field, ratio, "text and what is behind it")


def _ratio(colors: Json, behind: Sequence[str], background: Json) -> float:
    """Return the lowest contrast of texts; the overlay of an image has the colour of the page."""
    text, page, overlay = colors["text"], colors["background"], background.get("overlay", 0)
    return min((contrast_ratio(text, mixed(tone, page, overlay)) for tone in behind), default=MIN_CONTRAST)


def _tones(session: Session, project_id: str, media_id: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the known tones of an image, and of the one that dark devices show."""
    partner = aliased(Media)
    row = session.execute(
        select(Media.tones, partner.id.label("partner"), partner.tones.label("dark"))
        .outerjoin(partner, partner.id == Media.dark_media_id)
        .where(Media.project_id == project_id, Media.id == media_id)
    ).one_or_none()
    if row is None:
        return (), ()
    return row.tones or (), (row.tones if row.partner is None else row.dark) or ()


def _dark_palette(colors: Json) -> Json:
    dark = colors.get("dark")
    # Before looks, `dark` could be a colour.
    return dark if isinstance(dark, dict) else {}


def _low(field: str, ratio: float, pair: str) -> Detail:
    message = f"has a contrast of {ratio:.1f}:1 between {pair}; {MIN_CONTRAST}:1 is needed"
    return Detail(field, ThemeProblem.LOW_CONTRAST, message)
