"""Versions of themes: make a document live (contract, section 7, Themes).

The row of a theme has the members of its live document. The caller holds the lock of the project for all that writes.
"""

from typing import Any

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from management_api.db.models.base import flush_and_refresh
from management_api.db.models.flows import Theme
from management_api.db.models.history import VersionOrigin
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion
from management_api.history.diff import is_same_document
from management_api.history.versions import KEPT_VERSIONS, Noun, append_version, get_version, prune
from management_api.projects.quotas import content_limited
from management_api.themes.document import columns_of, document_of

#: Themes and their histories.
THEMES = Noun(Theme, ThemeVersion, ThemeDraft)
#: Not through the ORM: it is no change of the theme that the audit log or `updated_at` has to show.
_NAME_LIVE = (
    update(Theme)
    .where(Theme.id == bindparam("of_theme"))
    .values(live_version=bindparam("of_number"), updated_at=Theme.updated_at)
    .execution_options(synchronize_session=False)
)


def make_live(
    session: Session,
    theme: Theme,
    document: dict[str, Any],
    origin: VersionOrigin,
    user_id: str | None,
    *,
    note: str | None = None,
    restored_from: int | None = None,
) -> ThemeVersion:
    """Make a document live as the next version of a locked theme, and return the version. Old versions are deleted.

    A direct write that changes nothing makes no version. Other changes of the row are written with the document.
    Raises ConflictError if the files of the theme make the flows of the project too large.
    """
    if origin is VersionOrigin.DIRECT and is_same_document(document_of(theme), document):
        flush_and_refresh(session, theme)
        return get_version(session, THEMES, theme.id, theme.live_version)
    with content_limited(session, theme.project_id):
        for column, value in columns_of(document).items():
            setattr(theme, column, value)
        session.add(theme)
    version = append_version(session, THEMES, theme, document, origin, user_id, note=note, restored_from=restored_from)
    session.connection().execute(_NAME_LIVE, {"of_theme": theme.id, "of_number": version.number})
    set_committed_value(theme, "live_version", version.number)
    if version.number > KEPT_VERSIONS:
        prune(session, THEMES, [theme.id])
    session.refresh(theme)
    return version
