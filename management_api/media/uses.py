"""The flows and themes that use a media file.

Documents and themes name a file by its id, in members of content that are free. So its uses are found in their text.
"""

from typing import NamedTuple

from sqlalchemy import Select, Text, column, select, text
from sqlalchemy.orm import Session

from management_api.db.engine import Reader
from management_api.db.models.media import Media

MAX_USES = 20


def _selected(statement: str) -> Select[str, str]:
    """Return a statement of ids and names as a SELECT, which every reader takes."""
    found = text(statement).columns(column("id", Text), column("name", Text)).subquery()
    return select(found.c.id, found.c.name)


#: A file that is the dark partner, or the poster, of another file is used where that one is used.
_NAMED = """
    WITH RECURSIVE named (id) AS (
        SELECT CAST(:media_id AS varchar(40))
        UNION
        SELECT partner.id FROM media AS partner
        JOIN named ON named.id IN (partner.dark_media_id, partner.poster_media_id)
        WHERE partner.project_id = :project_id AND partner.deleted_at IS NULL
    ), pattern AS (SELECT string_agg(id, '|') AS ids FROM named)
"""
_FLOWS = _selected(f"""
    {_NAMED}
    SELECT flow.id, flow.name FROM flows AS flow, pattern
    WHERE flow.project_id = :project_id AND EXISTS (
        SELECT FROM flow_versions AS version
        WHERE version.flow_id = flow.id AND version.document::text ~ pattern.ids AND (
            version.number = flow.live_version OR EXISTS (
                SELECT FROM flow_schedules AS schedule
                WHERE schedule.flow_id = flow.id AND schedule.state = 'pending' AND schedule.version = version.number
            )
        )
        UNION ALL
        SELECT FROM flow_drafts AS draft WHERE draft.flow_id = flow.id AND draft.document::text ~ pattern.ids
    )
    ORDER BY flow.created_at, flow.id LIMIT {MAX_USES}
""")  # noqa: S608 - constants
_THEMES = _selected(f"""
    {_NAMED}
    SELECT theme.id, theme.name FROM themes AS theme, pattern
    WHERE theme.project_id = :project_id AND (
        to_jsonb(theme)::text ~ pattern.ids
        OR EXISTS (
            SELECT FROM theme_drafts AS draft WHERE draft.theme_id = theme.id AND draft.document::text ~ pattern.ids
        )
    )
    ORDER BY theme.created_at, theme.id LIMIT {MAX_USES}
""")  # noqa: S608 - constants
_IN_HISTORY = text(f"""
    {_NAMED}
    SELECT EXISTS (
        SELECT FROM flow_versions AS version, pattern
        WHERE version.project_id = :project_id AND version.document::text ~ pattern.ids
        UNION ALL
        SELECT FROM flow_drafts AS draft, pattern
        WHERE draft.project_id = :project_id AND draft.document::text ~ pattern.ids
        UNION ALL
        SELECT FROM theme_versions AS version, pattern
        WHERE version.project_id = :project_id AND version.document::text ~ pattern.ids
        UNION ALL
        SELECT FROM theme_drafts AS draft, pattern
        WHERE draft.project_id = :project_id AND draft.document::text ~ pattern.ids
    )
""")  # noqa: S608 - constants


class Use(NamedTuple):
    """The id and the name of a flow or a theme."""

    id: str
    name: str


class Uses(NamedTuple):
    """Up to MAX_USES flows and as many themes that use a file."""

    flows: list[Use]
    themes: list[Use]

    def __bool__(self) -> bool:
        """Return whether anything uses the file."""
        return bool(self.flows or self.themes)


def uses_of(reader: Reader, project_id: str, media_id: str) -> Uses:
    """Return what uses a file: live flows, drafts, pending schedules and themes, also through its partners."""
    values = {"project_id": project_id, "media_id": media_id}
    flows, themes = (reader.execute(statement, values).all() for statement in (_FLOWS, _THEMES))
    return Uses([Use(row.id, row.name) for row in flows], [Use(row.id, row.name) for row in themes])


def is_in_history(session: Session, media: Media) -> bool:
    """Return whether a version of a flow or a theme names a file, so that a restore shows it again, or a draft does."""
    values = {"project_id": media.project_id, "media_id": media.id}
    return bool(session.execute(_IN_HISTORY, values).scalar_one())
