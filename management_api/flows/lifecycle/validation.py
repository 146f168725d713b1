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
from management_api.db.models.flows import Theme, theme_members
from management_api.db.models.projects import Project
from management_api.flows.lifecycle.contrast import background_warning, palette_warnings
from management_api.flows.lifecycle.logic_problems import logic_errors, logic_warnings
from management_api.screens.contents import box_names, list_of, text_of
from management_api.translations.states import counts_of, mismatches, translated_screens

Content = Mapping[str, Any]

MIN_OPTIONS = 2
COLUMNS = 2


class ProblemCode(StrEnum):
    """The codes of problems besides those of bad fields."""

    TOO_FEW_OPTIONS = "TOO_FEW_OPTIONS"
    RUNNING_EXPERIMENT = "RUNNING_EXPERIMENT"
    PENDING_SCHEDULE = "PENDING_SCHEDULE"
    CONSECUTIVE_PAYWALLS = "CONSECUTIVE_PAYWALLS"
    MISSING_TRANSLATION = "MISSING_TRANSLATION"
    OUTDATED_TRANSLATION = "OUTDATED_TRANSLATION"
    VARIABLE_MISMATCH = "VARIABLE_MISMATCH"


THEME_NOT_FOUND = Detail.invalid("/theme_id", "must be a theme of the project; it may have been deleted")


@dataclass(frozen=True, slots=True)
class Problems:
    """The problems of a document; the fields are JSON pointers in which screens are named by their ids."""

    errors: tuple[Detail, ...]
    warnings: tuple[Detail, ...]


def find_problems(session: Session, project_id: str, flow_id: str, document: Mapping[str, Any]) -> Problems:
    """Return the problems of a document of a flow of the project."""
    theme = find_theme(session, project_id, document["theme_id"])
    locales = session.get_one(Project, project_id).locales
    errors = [
        *screen_errors(document["screens"]),
        *logic_errors(document["screens"]),
        *_translation_errors(document, locales),
    ]
    if document["theme_id"] is not None and theme is None:
        errors.append(THEME_NOT_FOUND)
    warnings = [
        *_theme_warnings(session, theme),
        *_sequence_warnings(document["screens"]),
        *logic_warnings(document, option_values),
        *_translation_warnings(document, locales),
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


def _check_native(path: str, content: Content) -> Iterator[Detail]:
    name = content.get("name")
    if not isinstance(name, str) or not name.strip():
        yield Detail.missing(f"{path}/name")


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
    ScreenType.NATIVE: _check_native,
    ScreenType.CUSTOM: _check_nothing,
}


def _theme_warnings(session: Session, theme: Theme | None) -> Iterator[Detail]:
    if theme is not None:
        looks = theme_members(theme.colors, theme.looks)
        yield from palette_warnings(looks["colors"], "/theme_id")
        yield from background_warning(session, theme.project_id, looks, "/theme_id")


def _sequence_warnings(screens: Sequence[Content]) -> Iterator[Detail]:
    for first, second in pairwise(screens):
        if first["type"] == second["type"] == ScreenType.PAYWALL:
            message = "is a paywall that follows a paywall"
            yield Detail(f"/screens/{second['id']}", ProblemCode.CONSECUTIVE_PAYWALLS, message)


def _translation_errors(document: Content, locales: Sequence[str]) -> Iterator[Detail]:
    for screen_id, locale, pointer in mismatches(document, locales):
        field = f"/screens/{screen_id}/localizations/{locale}{pointer}"
        message = "must have the variables of the text that was translated, with their formats"
        yield Detail(field, ProblemCode.VARIABLE_MISMATCH, message)


def _translation_warnings(document: Content, locales: Sequence[str]) -> Iterator[Detail]:
    """Yield a warning for each language that lacks translations, or has outdated ones, with their number."""
    counts = counts_of(translated_screens(document), locales[1:])
    for locale, found in counts.items():
        if found.missing:
            yield Detail("", ProblemCode.MISSING_TRANSLATION, _has_translations(found.missing, "missing", locale))
    for locale, found in counts.items():
        if found.outdated:
            yield Detail("", ProblemCode.OUTDATED_TRANSLATION, _has_translations(found.outdated, "outdated", locale))


def _has_translations(number: int, state: str, locale: str) -> str:
    return f"has {number} {state} {'translation' if number == 1 else 'translations'} into {locale}"


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
