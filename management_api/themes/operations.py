"""Themes of a project: list, create, read, update, delete; at most one is the default (contract, section 3)."""

from typing import Any

from sqlalchemy import Row, bindparam, exists, select
from sqlalchemy.orm import Session

from common.ids import IdPrefix, is_id, new_id
from management_api.auth.access import (
    Caller,
    get_for_read,
    get_for_update,
    part_for_caller,
    project_for_update,
    theme_not_found,
)
from management_api.auth.entity_tags import Precondition
from management_api.auth.lists import Page, PagedSelect
from management_api.db.engine import Reader
from management_api.db.models.flows import Theme
from management_api.db.models.history import VersionOrigin
from management_api.db.models.projects import Project
from management_api.db.models.theme_history import ThemeDraft
from management_api.flows.lifecycle.versions import unset_theme
from management_api.media.references import check_theme_references
from management_api.projects.quotas import Quotas, check_quota
from management_api.projects.review import check_may_change_theme
from management_api.themes.document import NEW_DOCUMENT, changed, document_of, style_of
from management_api.themes.lifecycle.versions import make_live
from management_api.themes.schemas import ThemeCreateBody, ThemeListQuery, ThemeUpdateBody

_COLUMNS: tuple[Any, ...] = (
    *Theme.__table__.columns,
    exists().where(ThemeDraft.theme_id == Theme.id).label("has_draft"),
)
_THEME_FOR_CALLER = part_for_caller(Theme, *_COLUMNS)
_LIST = PagedSelect(
    select(*_COLUMNS).where(Theme.project_id == bindparam("project_id")),
    {"created_at": Theme.created_at, "updated_at": Theme.updated_at, "name": Theme.name},
    Theme.id,
)


def list_themes(reader: Reader, caller: Caller, query: ThemeListQuery) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's themes. Raises ProjectNotFoundError, ForbiddenError."""
    return _LIST.read_in_project(reader, caller, query.project_id, query.page_request())


def create_theme(session: Session, caller: Caller, body: ThemeCreateBody, quotas: Quotas) -> Theme:
    """Create a theme; the style that the body leaves out comes from the theme `based_on`.

    Raises ProjectNotFoundError, ForbiddenError, NotFoundError (the theme `based_on`), ConflictError for too many,
    InvalidRequestError for a media file that does not fit.
    """
    project = project_for_update(session, caller, body.project_id)
    check_quota(session, quotas, Theme, project.id)
    document = {**NEW_DOCUMENT}
    if body.based_on is not None:
        document |= style_of(document_of(_theme_of_project(session, project.id, body.based_on)))
    members = body.members()
    is_default = members.pop("is_default", False)
    document = changed(document, members)
    check_theme_references(session, project.id, document)
    if is_default:
        check_may_change_theme(session, caller, project.id, None)
        _unset_default(session, project.id)
    theme = Theme(id=new_id(IdPrefix.THEME), project_id=project.id, is_default=is_default)
    make_live(session, theme, document, VersionOrigin.CREATED, caller.user_id)
    return theme


def read_theme(reader: Reader, caller: Caller, theme_id: str) -> Row[*tuple[Any, ...]]:
    """Return one theme. Raises NotFoundError, ForbiddenError."""
    return get_for_read(reader, caller, Theme, theme_id, _THEME_FOR_CALLER)


def update_theme(
    session: Session, caller: Caller, theme_id: str, body: ThemeUpdateBody, if_match: Precondition
) -> Theme:
    """Change a theme; a new default theme replaces the former one.

    Raises NotFoundError, ForbiddenError also for a look of reviewed content (contract, section 7, Review),
    InvalidRequestError for a media file that does not fit, PreconditionFailedError.
    """
    theme = get_for_update(session, caller, Theme, theme_id, if_match=if_match)
    check_may_change_theme(session, caller, theme.project_id, theme)
    members = body.members()
    is_default = members.pop("is_default", theme.is_default)
    if is_default and not theme.is_default:
        check_may_change_theme(session, caller, theme.project_id, None)
        _unset_default(session, theme.project_id)
    check_theme_references(session, theme.project_id, members, theme_id=theme.id)
    theme.is_default = is_default
    make_live(session, theme, changed(document_of(theme), members), VersionOrigin.DIRECT, caller.user_id)
    return theme


def delete_theme(session: Session, caller: Caller, theme_id: str, if_match: Precondition) -> None:
    """Delete a theme; the flows that used it have none afterwards, which is a new version of theirs.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError for a theme of a flow where the project
    changes flows through drafts.
    """
    theme = get_for_update(session, caller, Theme, theme_id, if_match=if_match)
    if theme.is_default:
        check_may_change_theme(session, caller, theme.project_id, theme)
    unset_theme(session, session.get_one(Project, theme.project_id), theme_id, caller.user_id)
    session.delete(theme)


def _theme_of_project(session: Session, project_id: str, theme_id: str) -> Theme:
    theme = session.get(Theme, theme_id) if is_id(IdPrefix.THEME, theme_id) else None
    if theme is None or theme.project_id != project_id:
        raise theme_not_found()
    return theme


def _unset_default(session: Session, project_id: str) -> None:
    """Unset the default theme at once: the unique index is checked row by row."""
    former = session.scalars(select(Theme).where(Theme.project_id == project_id, Theme.is_default)).one_or_none()
    if former is not None:
        former.is_default = False
        session.flush()
