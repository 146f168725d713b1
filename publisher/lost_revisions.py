"""Finds what Redis has taken back: revisions that are marked as out, and that it does not have any more.

Replication is asynchronous: a replica that becomes the master may lack the last moment of what the old one confirmed.
"""

import structlog
from sqlalchemy import select, text

from management_api.database.publications import Publication
from management_api.database.transactions import Database
from publisher.claims import worth_publishing
from publisher.snapshot_writer import SnapshotWriter

log = structlog.stdlib.get_logger(__name__)

_PAGE = 500

#: Has the publications wait again whose revision Redis lacks.
_TAKE_BACK = text("""
    UPDATE publications SET published_revision = found.revision
    FROM unnest(CAST(:project_ids AS text[]), CAST(:revisions AS bigint[])) AS found (project_id, revision)
    WHERE publications.project_id = found.project_id AND published_revision > found.revision
""")


class LostRevisions:
    """Compares all that is out with what Redis has, whenever other servers take the writes than before."""

    def __init__(self, database: Database, writer: SnapshotWriter) -> None:
        self._database = database
        self._writer = writer
        self._lineage: frozenset[str] | None = None

    def take_back(self) -> None:
        """Have what was lost wait for publishing. Raises UnavailableError and RedisError; then all of it is done again.

        The first time it compares, as nobody knows what has happened before.
        """
        lineage = self._writer.lineage()
        if lineage == self._lineage:
            return
        last_id = ""
        lost = 0
        while page := self._page_after(last_id):
            last_id = page[-1][0]
            stored = self._writer.revisions([project_id for project_id, _ in page])
            found = {
                project_id: now for (project_id, published), now in zip(page, stored, strict=True) if now < published
            }
            if found:
                self._note(found)
                lost += len(found)
        if lost:
            log.warning("publisher.revisions_lost_by_redis", projects=lost)
        self._lineage = lineage

    def _page_after(self, last_id: str) -> list[tuple[str, int]]:
        query = (
            select(Publication.project_id, Publication.published_revision)
            .where(Publication.project_id > last_id, Publication.published_revision > 0, worth_publishing())
            .order_by(Publication.project_id)
            .limit(_PAGE)
        )
        with self._database.transaction() as session:
            return [(project_id, published) for project_id, published in session.execute(query)]

    def _note(self, found: dict[str, int]) -> None:
        # In the order of ids, so that two publishers cannot deadlock.
        with self._database.transaction() as session:
            session.execute(_TAKE_BACK, {"project_ids": list(found), "revisions": list(found.values())})
