"""Validation of a document before it goes live: errors forbid it, warnings have to be confirmed (lifecycle)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.errors import Detail, ErrorCode
from common.wire.public_responses import ScreenType
from common.wire.screen_contents import definitions
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowSchedule, ScheduleState
from management_api.db.models.flows import Theme
from management_api.flows.lifecycle.logic_problems import logic_errors, logic_warnings
from management_api.screens.contents import box_names, list_of, text_of

Content = Mapping[str, Any]

MIN_OPTIONS = 2
COLUMNS = 2
#: WCAG 2.2, success criterion 1.4.3, level AA.
MIN_CONTRAST = 4.5


class ProblemCode(StrEnum):
    """The codes of problems besides those of bad fields."""

    TOO_FEW_OPTIONS = "TOO_FEW_OPTIONS"
    LOW_CONTRAST = "LOW_CONTRAST"
    RUNNING_EXPERIMENT = "RUNNING_EXPERIMENT"
    PENDING_SCHEDULE = "PENDING_SCHEDULE"
    CONSECUTIVE_PAYWALLS = "CONSECUTIVE_PAYWALLS"


THEME_NOT_FOUND = Detail.invalid("/theme_id", "must be a theme of the project; it may have been deleted")


@dataclass(frozen=True, slots=True)
class Problems:
    """The problems of a document; the fields are JSON pointers in which screens are named by their ids."""

    errors: tuple[Detail, ...]
    warnings: tuple[Detail, ...]


def find_problems(session: Session, project_id: str, flow_id: str, document: Mapping[str, Any]) -> Problems:
    """Return the problems of a document of a flow of the project."""
    theme = find_theme(session, project_id, document["theme_id"])
    errors = [*screen_errors(document["screens"]), *logic_errors(document["screens"])]
    if document["theme_id"] is not None and theme is None:
        errors.append(THEME_NOT_FOUND)
    warnings = [
        *_theme_warnings(theme),
        *_sequence_warnings(document["screens"]),
        *logic_warnings(document, option_values),
        *_experiment_warnings(session, project_id, flow_id),
        *_schedule_warnings(session, flow_id),
    ]
    return Problems(tuple(errors), tuple(warnings))


def find_theme(session: Session, project_id: str, theme_id: str | None) -> Theme | None:
    """Return a theme of the project; None without an id and for any other id."""
    if theme_id is None:
        return None
    return session.scalar(select(Theme).where(Theme.id == theme_id, Theme.project_id == project_id))


def screen_errors(screens: Sequence[Content]) -> Iterator[Detail]:
    """Yield the errors of the screens of a document."""
    if not screens:
        yield Detail("/screens", ErrorCode.MISSING_PARAMETER, "must have at least one screen")
    seen: set[str] = set()
    for screen in screens:
        content, path = screen["content"], f"/screens/{screen['id']}/content"
        yield from _CHECKS[ScreenType(screen["type"])](path, content)
        is_consent = screen["type"] == ScreenType.CONSENT
        keys = enumerate(box_names(content)) if is_consent else [(0, content.get("answer_key"))]
        for place, key in keys:
            field = f"{path}/items/{place}/name" if is_consent else f"{path}/answer_key"
            if not isinstance(key, str) or not key:
                continue
            if key in seen:
                yield Detail.invalid(field, "must differ from the answer keys of the other screens")
            seen.add(key)


def _require_title(path: str, content: Content) -> Iterator[Detail]:
    if not text_of("screen", "title", content):
        yield Detail.missing(f"{path}/title")


def _require_question(path: str, content: Content) -> Iterator[Detail]:
    if not text_of("screen", "title", content):
        yield Detail.missing(f"{path}/question")


def _check_choices(path: str, content: Content) -> Iterator[Detail]:
    yield from _require_question(path, content)
    if len(option_values(content)) < MIN_OPTIONS:
        message = f"must have at least {MIN_OPTIONS} options with different values"
        yield Detail(f"{path}/options", ProblemCode.TOO_FEW_OPTIONS, message)


def _check_permission(path: str, content: Content) -> Iterator[Detail]:
    yield from _require_title(path, content)
    permission = content.get("permission")
    if permission is None or permission == "":
        yield Detail.missing(f"{path}/permission")
    elif permission not in definitions()["permission"]["enum"]:
        known = ", ".join(sorted(definitions()["permission"]["enum"]))
        yield Detail.invalid(f"{path}/permission", f"must be one of {known}")


def _check_paywall(path: str, content: Content) -> Iterator[Detail]:
    if not any(text_of("product", "product_id", product) for product in list_of("paywall", "products", content)):
        yield Detail.missing(f"{path}/products")


def _check_comparison(path: str, content: Content) -> Iterator[Detail]:
    yield from _require_title(path, content)
    if len(list_of("comparison", "columns", content)) < COLUMNS:
        yield Detail.missing(f"{path}/columns")


def _check_consent(path: str, content: Content) -> Iterator[Detail]:
    yield from _require_title(path, content)
    if not any(box_names(content)):
        yield Detail.missing(f"{path}/items")


def _check_nothing(_path: str, _content: Content) -> Iterator[Detail]:
    return iter(())


def option_values(content: Content) -> frozenset[str]:
    """Return the different values of a question's options; an option without a value has its label."""
    values = (text_of("option", "value", option) for option in list_of("choice", "options", content))
    return frozenset(value for value in values if value)


_CHECKS: Mapping[ScreenType, Callable[[str, Content], Iterator[Detail]]] = {
    ScreenType.WELCOME: _require_title,
    ScreenType.FEATURE: _require_title,
    ScreenType.PERMISSIONS: _check_permission,
    ScreenType.SIGNUP: _require_title,
    ScreenType.QUESTION_TEXT: _require_question,
    ScreenType.QUESTION_SINGLE_CHOICE: _check_choices,
    ScreenType.QUESTION_MULTIPLE_CHOICE: _check_choices,
    ScreenType.QUESTION_PICKER: _require_question,
    ScreenType.PAYWALL: _check_paywall,
    ScreenType.LOADING: _require_title,
    ScreenType.SUMMARY: _require_title,
    ScreenType.SOCIAL_PROOF: _require_title,
    ScreenType.COMPARISON: _check_comparison,
    ScreenType.CONSENT: _check_consent,
    ScreenType.CUSTOM: _check_nothing,
}


def _theme_warnings(theme: Theme | None) -> Iterator[Detail]:
    if theme is not None:
        yield from contrast_warnings(theme.colors, "/theme_id")


def contrast_warnings(colors: Mapping[str, Any], field: str) -> Iterator[Detail]:
    """Yield the warnings of the palettes of a theme: of light devices, and of dark ones."""
    palettes = [(colors, DEFAULT_COLORS, ""), (colors.get("dark", {}), DARK_COLORS, " on dark devices")]
    for palette, defaults, place in palettes:
        # Before looks, `dark` could be a colour.
        for text, background, ratio in contrast_of_texts(palette if isinstance(palette, dict) else {}, defaults):
            if ratio < MIN_CONTRAST:
                pair = f"between {text} and {background}{place}"
                message = f"has a contrast of {ratio:.1f}:1 {pair}; {MIN_CONTRAST}:1 is needed"
                yield Detail(field, ProblemCode.LOW_CONTRAST, message)


def _sequence_warnings(screens: Sequence[Content]) -> Iterator[Detail]:
    for first, second in pairwise(screens):
        if first["type"] == second["type"] == ScreenType.PAYWALL:
            message = "is a paywall that follows a paywall"
            yield Detail(f"/screens/{second['id']}", ProblemCode.CONSECUTIVE_PAYWALLS, message)


def _experiment_warnings(session: Session, project_id: str, flow_id: str) -> Iterator[Detail]:
    names = session.scalars(
        select(Experiment.name).where(Experiment.is_active_with(flow_id, project_id)).order_by(Experiment.id)
    )
    for name in names:
        yield Detail("", ProblemCode.RUNNING_EXPERIMENT, f"is a flow of the active experiment {name}")


def _schedule_warnings(session: Session, flow_id: str) -> Iterator[Detail]:
    pending = session.scalar(
        select(func.count()).where(FlowSchedule.flow_id == flow_id, FlowSchedule.state == ScheduleState.PENDING)
    )
    if pending:
        yield Detail("", ProblemCode.PENDING_SCHEDULE, f"has pending schedules: {pending}")


# --- contrast (WCAG 2.2, Contrast ratio and Relative luminance) ---

#: The colours of a theme that leaves them out, as the hosted pages have them.
DEFAULT_COLORS: Mapping[str, str] = {
    "background": "#ffffff",
    "text": "#111827",
}
DARK_COLORS: Mapping[str, str] = {
    "background": "#0b0b0f",
    "text": "#f4f4f5",
}
_SHORT_LENGTH = 4


def contrast_of_texts(
    colors: Mapping[str, str], defaults: Mapping[str, str] = DEFAULT_COLORS
) -> Iterator[tuple[str, str, float]]:
    """Yield the names of a text colour and its background, and their contrast from 1 to 21.

    Texts stand on the background, and on the surface where the theme has one.
    """
    chosen = {**defaults, **colors}
    if colors.keys() & {"text", "background"}:
        yield "text", "background", _contrast(chosen, "text", "background")
    if "textSecondary" in colors:
        yield "textSecondary", "background", _contrast(chosen, "textSecondary", "background")
    if "surface" in colors:
        yield "text", "surface", _contrast(chosen, "text", "surface")


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast of two CSS hex colours; their transparency is ignored."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _contrast(colors: Mapping[str, str], text: str, background: str) -> float:
    return contrast_ratio(colors[text], colors[background])


def _luminance(color: str) -> float:
    digits = color.removeprefix("#")
    if len(color) == _SHORT_LENGTH:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue = (_linear(int(digits[start : start + 2], 16) / 255) for start in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    is_dark = channel <= 0.04045  # noqa: PLR2004 - the formula's
    return channel / 12.92 if is_dark else ((channel + 0.055) / 1.055) ** 2.4
