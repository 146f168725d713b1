"""Themes of a project: list, create, read, update, delete, at most one the default (contract, section 3)."""

from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Row, Select, bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.ids import IdPrefix, is_id, new_id
from management_api.auth.access import (
    THEME,
    Caller,
    check_may_read,
    part_to_change,
    part_to_read,
    project_to_change,
    theme_not_found,
)
from management_api.db.audited_rows import add_row, change_row, remove_row
from management_api.db.models.flows import Theme
from management_api.db.prepared import Prepared
from management_api.http.etags import Precondition
from management_api.http.pagination import PageOf, PageRequest, read_page
from management_api.projects.quotas import Limits, check_room_for_theme

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Theme.created_at, "updated_at": Theme.updated_at, "name": Theme.name,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = select(
    Theme.id, Theme.project_id, Theme.name, Theme.description, Theme.is_default,
    Theme.colors, Theme.typography, Theme.border_radius, Theme.created_at, Theme.updated_at,
).where(Theme.project_id == bindparam("project_id"))  # fmt: skip
_DEFAULT = Prepared(_LISTED.where(Theme.is_default))
_LOOKS_OF = Prepared(
    select(Theme.colors, Theme.typography, Theme.border_radius).where(
        Theme.id == bindparam("theme_id"), Theme.project_id == bindparam("project_id")
    )
)


class ThemeLooks(TypedDict, total=False):
    """How a theme looks; a member that is not given comes from the theme that this one is based on, or is empty."""

    colors: dict[str, str]
    typography: dict[str, Any]
    border_radius: dict[str, Any]


class ThemeChanges(ThemeLooks, total=False):
    """What a PUT changes; an absent member stays as it is."""

    name: str
    description: str | None
    is_default: bool


@dataclass(frozen=True, slots=True)
class NewTheme:
    """What a theme is made of; `based_on` is the id of a theme of the same project."""

    name: str
    description: str | None
    is_default: bool
    looks: ThemeLooks
    based_on: str | None


def list_themes(session: Session, caller: Caller, project_id: str, page: PageRequest) -> PageOf[*tuple[Any, ...]]:
    """Give a page of the project's themes. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    return read_page(session, _LISTED, page, {"project_id": project_id}, sortable=SORTABLE, tie_breaker=Theme.id)


def create_theme(session: Session, caller: Caller, project_id: str, new: NewTheme, limits: Limits) -> Row[Any]:
    """Make a theme.

    Raises ProjectNotFoundError, ForbiddenError, NotFoundError (the theme that it is based on), ConflictError.
    """
    project_to_change(session, caller, project_id)
    check_room_for_theme(session, limits, project_id)
    looks: ThemeLooks = {"colors": {}, "typography": {}, "border_radius": {}}
    if new.based_on is not None:
        looks = _looks_of(session, project_id, new.based_on)
    looks |= new.looks
    if new.is_default:
        _unset_default(session, project_id)
    return add_row(
        session,
        Theme,
        {
            "id": new_id(IdPrefix.THEME),
            "project_id": project_id,
            "name": new.name,
            "description": new.description,
            "is_default": new.is_default,
            **looks,
        },
    )


def read_theme(session: Session, caller: Caller, theme_id: str) -> Row[*tuple[Any, ...]]:
    """Give one theme. Raises NotFoundError, ForbiddenError."""
    return part_to_read(session, caller, THEME, theme_id)


def update_theme(
    session: Session, caller: Caller, theme_id: str, changes: ThemeChanges, if_match: Precondition
) -> Row[Any]:
    """Change a theme; made the default, it takes that from the other one.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    theme = part_to_change(session, caller, THEME, theme_id, if_match=if_match)
    if changes.get("is_default") and not theme.is_default:
        _unset_default(session, theme.project_id)
    return change_row(session, Theme, theme, changes) or theme


def delete_theme(session: Session, caller: Caller, theme_id: str, if_match: Precondition) -> None:
    """Delete a theme; flows that wore it have none then.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    remove_row(session, Theme, part_to_change(session, caller, THEME, theme_id, if_match=if_match))


def _unset_default(session: Session, project_id: str) -> None:
    """Take the default away first: the unique index is checked row by row."""
    former = _DEFAULT.row(session, {"project_id": project_id})
    if former is not None:
        change_row(session, Theme, former, {"is_default": False})


def _looks_of(session: Session, project_id: str, theme_id: str) -> ThemeLooks:
    known = is_id(IdPrefix.THEME, theme_id)
    origin = _LOOKS_OF.row(session, {"theme_id": theme_id, "project_id": project_id}) if known else None
    if origin is None:
        raise theme_not_found()
    return {"colors": origin.colors, "typography": origin.typography, "border_radius": origin.border_radius}
