"""Themes of a project: list, create, read, update, delete, at most one the default (contract, section 3)."""

from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.identifiers import IdPrefix, is_id, new_id
from management_api.database.themes import Theme
from management_api.operations.callers import Caller
from management_api.operations.limits import Limits, check_room_for_theme
from management_api.operations.paging import PageOf, PageRequest, read_page
from management_api.operations.preconditions import Precondition
from management_api.operations.project_access import check_may_read, project_to_change
from management_api.operations.project_parts import THEME, part_to_change, part_to_read, theme_not_found

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Theme.created_at, "updated_at": Theme.updated_at, "name": Theme.name,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = select(
    Theme.id, Theme.project_id, Theme.name, Theme.description, Theme.is_default,
    Theme.colors, Theme.typography, Theme.border_radius, Theme.created_at, Theme.updated_at,
).where(Theme.project_id == bindparam("project_id"))  # fmt: skip


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


def create_theme(session: Session, caller: Caller, project_id: str, new: NewTheme, limits: Limits) -> Theme:
    """Make a theme.

    Raises ProjectNotFoundError, ForbiddenError, NotFoundError (the theme that it is based on), ConflictError.
    """
    project = project_to_change(session, caller, project_id)
    check_room_for_theme(session, limits, project.id)
    looks: ThemeLooks = {"colors": {}, "typography": {}, "border_radius": {}}
    if new.based_on is not None:
        looks = _looks_of(session, project.id, new.based_on)
    looks |= new.looks
    if new.is_default:
        _unset_default(session, project.id)
    theme = Theme(
        id=new_id(IdPrefix.THEME),
        project_id=project.id,
        name=new.name,
        description=new.description,
        is_default=new.is_default,
        **looks,
    )
    session.add(theme)
    return _stored(session, theme)


def read_theme(session: Session, caller: Caller, theme_id: str) -> Theme:
    """Give one theme. Raises NotFoundError, ForbiddenError."""
    return part_to_read(session, caller, THEME, theme_id)


def update_theme(
    session: Session, caller: Caller, theme_id: str, changes: ThemeChanges, if_match: Precondition
) -> Theme:
    """Change a theme; made the default, it takes that from the other one.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    project, theme = part_to_change(session, caller, THEME, theme_id, if_match=if_match)
    if changes.get("is_default") and not theme.is_default:
        _unset_default(session, project.id)
    for column, value in changes.items():
        setattr(theme, column, value)
    return _stored(session, theme)


def delete_theme(session: Session, caller: Caller, theme_id: str, if_match: Precondition) -> None:
    """Delete a theme; flows that wore it have none then.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    _, theme = part_to_change(session, caller, THEME, theme_id, if_match=if_match)
    session.delete(theme)
    session.flush()


def _unset_default(session: Session, project_id: str) -> None:
    """Take the default away first: the unique index is checked row by row."""
    former = session.scalar(select(Theme).where(Theme.project_id == project_id, Theme.is_default))
    if former is not None:
        former.is_default = False
        session.flush()


def _looks_of(session: Session, project_id: str, theme_id: str) -> ThemeLooks:
    origin = session.get(Theme, theme_id) if is_id(IdPrefix.THEME, theme_id) else None
    if origin is None or origin.project_id != project_id:
        raise theme_not_found()
    return {"colors": origin.colors, "typography": origin.typography, "border_radius": origin.border_radius}


def _stored(session: Session, theme: Theme) -> Theme:
    session.flush()
    # The timestamps are made by the database.
    session.refresh(theme)
    return theme
