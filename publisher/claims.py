"""What a publisher notes on publications: that it works on them, that they are out, that they must wait."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, func, or_, text

from management_api.database.publications import Publication
from management_api.database.transactions import Database
from publisher.snapshot_writer import TOMBSTONE_SECONDS

#: Claims the publications that wait longest and that nobody else is claiming at this moment.
CLAIM_WAITING = text("""
    WITH waiting AS (
        SELECT project_id FROM publications
        WHERE published_revision < wanted_revision
          AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
        ORDER BY updated_at
        LIMIT :batch_size
        FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE publications SET claimed_until = clock_timestamp() + :claim
    FROM waiting WHERE publications.project_id = waiting.project_id
    RETURNING publications.project_id
""")

#: Marks revisions as published and ends the claims, in the order of ids so that two publishers cannot deadlock.
#: What Redis has is never newer than what is wanted, unless the database was restored from a backup; then a revision
#: above it is asked for, because edges take no older one.
MARK_PUBLISHED = text("""
    WITH done AS (
        SELECT project_id, outcome.revision, outcome.stored, published_revision AS was, wanted_revision AS wanted
        FROM publications JOIN unnest(
            CAST(:project_ids AS text[]), CAST(:revisions AS bigint[]), CAST(:stored AS bigint[])
        ) AS outcome (project_id, revision, stored) USING (project_id)
        ORDER BY project_id
        FOR NO KEY UPDATE OF publications
    )
    UPDATE publications
    SET published_revision = greatest(published_revision, done.revision),
        wanted_revision = CASE WHEN done.stored > wanted_revision THEN done.stored + 1 ELSE wanted_revision END,
        claimed_until = NULL
    FROM done WHERE publications.project_id = done.project_id
    RETURNING CASE WHEN done.was < done.wanted AND done.wanted <= done.revision
        THEN extract(epoch FROM clock_timestamp() - updated_at) END
""")

#: Keeps everyone from a publication that failed until it is time to try again.
DEFER = text("UPDATE publications SET claimed_until = clock_timestamp() + :wait WHERE project_id = :project_id")


@dataclass(frozen=True, slots=True)
class Published:
    """A project's revision that was sent to Redis, and the revision that Redis has since then."""

    project_id: str
    revision: int
    stored: int


def worth_publishing() -> ColumnElement[bool]:
    """Leave out projects that were deleted before a tombstone's life: nobody remembers them."""
    recent = Publication.updated_at > func.now() - func.make_interval(0, 0, 0, 0, 0, 0, TOMBSTONE_SECONDS)
    return or_(Publication.deleted.is_(False), recent)


def claim_waiting(database: Database, *, batch_size: int, seconds: float) -> list[str]:
    """Claim waiting publications for that long and give their project ids. The claim is committed."""
    with database.transaction() as session:
        claimed = session.scalars(CLAIM_WAITING, {"batch_size": batch_size, "claim": timedelta(seconds=seconds)})
        return list(claimed)


def mark_published(database: Database, outcomes: Sequence[Published]) -> list[float]:
    """Note what is out; a publication whose project has changed since then goes on waiting.

    Gives the seconds since the newest change of each project that was waiting and is out now.
    """
    with database.transaction() as session:
        delays = session.scalars(
            MARK_PUBLISHED,
            {
                "project_ids": [outcome.project_id for outcome in outcomes],
                "revisions": [outcome.revision for outcome in outcomes],
                "stored": [outcome.stored for outcome in outcomes],
            },
        )
        return [max(0.0, float(seconds)) for seconds in delays if seconds is not None]


def defer(database: Database, project_id: str, *, seconds: float) -> None:
    """Have a publication that failed wait that long."""
    with database.transaction() as session:
        session.execute(DEFER, {"project_id": project_id, "wait": timedelta(seconds=seconds)})
