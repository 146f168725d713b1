"""Drafts and versions of themes: save, publish and restore them (contract, section 7, Themes).

A theme changes the look of each flow that has it. So where a project requires approvals, a publication and a restore
need the role that PUT needs (`projects/review.py`); a draft of a theme gets no approvals.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail
from management_api.auth.access import Caller, get_for_read, get_for_update
from management_api.auth.entity_tags import Precondition, tag_of
from management_api.db.models.flows import Theme
from management_api.db.models.history import VersionOrigin
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion
from management_api.flows.lifecycle.contrast import background_warning, palette_warnings
from management_api.history.diff import is_same_document
from management_api.history.drafts import (
    base_of_draft,
    check_base,
    get_draft,
    nothing_to_publish,
    store_draft,
)
from management_api.history.operations import VersionLists, record, remove_draft
from management_api.history.versions import get_version
from management_api.media.references import check_theme_references
from management_api.projects.review import check_may_change_theme
from management_api.themes.document import document_of
from management_api.themes.lifecycle.schemas import ThemeDraftBody, ThemeDraftView, ThemePublishBody
from management_api.themes.lifecycle.versions import THEMES, make_live

#: The lists of the versions of themes.
VERSIONS = VersionLists(THEMES)


def read_draft(session: Session, caller: Caller, theme_id: str) -> tuple[ThemeDraftView, str]:
    """Return the draft of a theme and its entity tag. Raises NotFoundError, ForbiddenError."""
    theme = get_for_read(session, caller, Theme, theme_id)
    return _draft_view(theme, get_draft(session, THEMES, theme.id))


def put_draft(
    session: Session, caller: Caller, theme_id: str, body: ThemeDraftBody, precondition: Precondition
) -> tuple[ThemeDraftView, str, bool]:
    """Store the draft of a theme; return it, its entity tag, and whether it is new.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    theme = get_for_update(session, caller, Theme, theme_id)
    document = body.document.document()
    check_theme_references(session, theme.project_id, document, field="document", theme_id=theme.id)
    draft, is_new = _save_draft(session, theme, document, body.base_version, caller, precondition)
    return *_draft_view(theme, draft), is_new


def delete_draft(session: Session, caller: Caller, theme_id: str, if_match: Precondition) -> None:
    """Delete the draft of a theme. Raises NotFoundError, ForbiddenError, PreconditionFailedError."""
    remove_draft(session, THEMES, get_for_update(session, caller, Theme, theme_id), if_match)


def publish(
    session: Session, caller: Caller, theme_id: str, body: ThemePublishBody, if_match: Precondition
) -> ThemeVersion:
    """Make the draft live, and return its version. `if_match` is about the draft.

    Raises NotFoundError, ForbiddenError also for the look of reviewed content, PreconditionFailedError, ConflictError
    for a draft that is stale, live already or has warnings.
    """
    theme = get_for_update(session, caller, Theme, theme_id)
    draft = get_draft(session, THEMES, theme.id)
    if_match.check(lambda: tag_of(ThemeDraft, draft))
    check_may_change_theme(session, caller, theme.project_id, theme)
    if is_same_document(document_of(theme), draft.document):
        raise nothing_to_publish()
    check_base(THEMES.entity, theme.live_version, draft.base_version)
    warnings = () if body.ignore_warnings else tuple(_warnings(session, theme.project_id, draft.document))
    if warnings:
        raise ConflictError("The draft has warnings", warnings)
    tag = tag_of(ThemeDraft, draft)
    version = make_live(session, theme, draft.document, VersionOrigin.PUBLISHED, caller.user_id, note=body.note)
    session.delete(draft)
    session.flush()
    record(session, THEMES, theme, "published", version=version.number, draft=tag)
    return version


def restore_live(
    session: Session, caller: Caller, theme_id: str, number: int, note: str | None, precondition: Precondition
) -> ThemeVersion:
    """Make a version live again, and return the new version. `precondition` is about the version that is live.

    Raises NotFoundError, ForbiddenError also for the look of reviewed content, PreconditionFailedError, ConflictError
    for the live version.
    """
    theme = get_for_update(session, caller, Theme, theme_id)
    precondition.check(lambda: tag_of(ThemeVersion, get_version(session, THEMES, theme.id, theme.live_version)))
    document = get_version(session, THEMES, theme.id, number).document
    if number == theme.live_version:
        raise ConflictError("This version is live already")
    check_may_change_theme(session, caller, theme.project_id, theme)
    origin = VersionOrigin.RESTORED
    version = make_live(session, theme, document, origin, caller.user_id, note=note, restored_from=number)
    record(session, THEMES, theme, "restored", version=version.number, restored_from=number)
    return version


def restore_to_draft(
    session: Session, caller: Caller, theme_id: str, number: int, precondition: Precondition
) -> tuple[ThemeDraftView, str]:
    """Make the document of a version the draft; return it and its entity tag. `precondition` is about the draft.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    theme = get_for_update(session, caller, Theme, theme_id)
    document = get_version(session, THEMES, theme.id, number).document
    draft, _ = _save_draft(session, theme, document, None, caller, precondition)
    return _draft_view(theme, draft)


def _save_draft(
    session: Session,
    theme: Theme,
    document: dict[str, Any],
    base_version: int | None,
    caller: Caller,
    precondition: Precondition,
) -> tuple[ThemeDraft, bool]:
    """Store the draft, and return it and whether it is new. A draft that stays as it is leaves no trace."""
    former = session.get(ThemeDraft, theme.id)
    precondition.check(lambda: None if former is None else tag_of(ThemeDraft, former))
    base = base_of_draft(session, THEMES, theme, base_version)
    draft, is_changed = store_draft(session, THEMES, theme, document, base, caller.user_id)
    session.flush()
    session.refresh(draft)
    if is_changed:
        record(session, THEMES, theme, "draft_saved")
    return draft, former is None


def _warnings(session: Session, project_id: str, document: Mapping[str, Any]) -> Iterator[Detail]:
    yield from palette_warnings(document["colors"], "/colors")
    yield from background_warning(session, project_id, document, "/background")


def _draft_view(theme: Theme | Row[Any], draft: ThemeDraft) -> tuple[ThemeDraftView, str]:
    members = {
        name: getattr(draft, name) for name in ("theme_id", "document", "base_version", "updated_at", "updated_by")
    }
    view = ThemeDraftView.model_validate(
        {**members, "live_version": theme.live_version, "approvals": (), "required_approvals": 0}
    )
    return view, tag_of(ThemeDraft, draft)
