"""Dead letters: entries that cannot be stored, kept with a reason, listed, and replayed into their streams.

A dead letter is deleted in the transaction that stores its entry. So a replay that is interrupted anywhere neither
loses an event nor counts one twice. A replayed entry without its dead letter was stored or erased meanwhile, and is
dropped.
"""

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from redis import Redis
from sqlalchemy import ColumnElement, Select, delete, func, select, true, update
from sqlalchemy.orm import Session

from common.wire.redis_keys import ATTEMPTS_FIELD, DEAD_LETTER_FIELD, EVENT_FIELD, event_streams
from common.wire.stream_records import StreamRecordError, decode_record
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.device_digests import DeviceDigests

#: A reason names the error for an operator; it must not repeat the body.
MAX_REASON_LENGTH = 500

#: The kind of dead letters of projects that were never in this database.
UNKNOWN_PROJECT = "UnknownProject"

#: Keeps a project until the commit, so that neither it nor one of its devices is erased meanwhile.
LOCK_PROJECT = "SELECT id FROM projects WHERE id = %s FOR KEY SHARE"

#: A deleted project keeps its publication. A project without one was never in this database, or a restore has lost it.
FIND_PUBLICATIONS = "SELECT project_id FROM publications WHERE project_id = ANY(%s)"

#: Stores an entry. An entry that is delivered again is the same dead letter.
STORE_DEAD_LETTER = """
    INSERT INTO dead_letters (project_id, stream, entry_id, body, reason)
    VALUES (%(project)s, %(stream)s, %(entry)s, %(body)s, %(reason)s)
    ON CONFLICT (stream, entry_id) DO NOTHING
"""

#: Stores that a replay has failed; the dead letter of an erased device or a deleted project does not come back.
NOTE_FAILED_REPLAY = """
    UPDATE dead_letters
    SET attempts = %(attempts)s, reason = %(reason)s, last_failed_at = clock_timestamp(), replayed_at = NULL
    WHERE id = %(letter)s
"""

LOCK_DEAD_LETTERS = "SELECT id FROM dead_letters WHERE id = ANY(%s) ORDER BY id FOR UPDATE"

RESOLVE_DEAD_LETTERS = "DELETE FROM dead_letters WHERE id = ANY(%s)"

#: A project id in bytes that are no record; in every format so far it comes first.
_PROJECT_ID = re.compile(rb"proj_[0-7][0-9a-hjkmnp-tv-z]{25}")

#: The kind of a dead letter: the part of its reason that names the error.
KIND = func.split_part(DeadLetter.reason, ":", 1)

#: Dead letters that are sent to Redis at once; a body has some kilobytes.
PAGE = 500

Cursor = psycopg.Cursor[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class DeadLetterFilter:
    """Selects dead letters by all members that are set; without any, all."""

    ids: tuple[int, ...] = ()
    kind: str | None = None
    project_id: str | None = None
    #: Also dead letters that were replayed and whose entries are not stored yet.
    include_replayed: bool = False

    def condition(self) -> ColumnElement[bool]:
        """Return the condition in SQL."""
        condition: ColumnElement[bool] = true()
        if self.ids:
            condition &= DeadLetter.id.in_(self.ids)
        if self.kind is not None:
            condition &= self.kind == KIND
        if self.project_id is not None:
            condition &= DeadLetter.project_id == self.project_id
        if not self.include_replayed:
            condition &= DeadLetter.replayed_at.is_(None)
        return condition


@dataclass(frozen=True, slots=True)
class DeadLetterSummary:
    """The number of dead letters of one kind. `replayed` of them are in their stream again."""

    kind: str
    letters: int
    replayed: int
    oldest_at: datetime


def summarize_dead_letters(session: Session) -> list[DeadLetterSummary]:
    """Count the dead letters of each kind, the most frequent first."""
    letters = func.count()
    counted = select(KIND, letters, func.count(DeadLetter.replayed_at), func.min(DeadLetter.created_at))
    return [DeadLetterSummary(*row) for row in session.execute(counted.group_by(KIND).order_by(letters.desc(), KIND))]


def count_dead_letters(session: Session, criteria: DeadLetterFilter) -> int:
    """Count dead letters."""
    return session.scalar(select(func.count()).select_from(DeadLetter).where(criteria.condition())) or 0


def newest_dead_letters(session: Session, criteria: DeadLetterFilter, count: int) -> list[DeadLetter]:
    """Return the newest dead letters."""
    return list(session.scalars(_select(criteria).order_by(DeadLetter.id.desc()).limit(count)))


def delete_dead_letters(session: Session, criteria: DeadLetterFilter) -> int:
    """Delete dead letters, and return their number."""
    return len(session.execute(delete(DeadLetter).where(criteria.condition()).returning(DeadLetter.id)).all())


def dead_letter_pages(session: Session, criteria: DeadLetterFilter, size: int) -> Iterator[list[DeadLetter]]:
    """Return all present dead letters, the oldest first, in pages of a bounded size."""
    last = session.scalar(select(func.max(DeadLetter.id))) or 0
    after = 0
    while page := list(
        session.scalars(
            _select(criteria).where(DeadLetter.id > after, DeadLetter.id <= last).order_by(DeadLetter.id).limit(size)
        )
    ):
        yield page
        after = page[-1].id
        session.expunge_all()


def _select(criteria: DeadLetterFilter) -> Select[DeadLetter]:
    return select(DeadLetter).where(criteria.condition())


def drop_resolved(cursor: Cursor, entries: Sequence[StreamEntry]) -> Sequence[StreamEntry]:
    """Return the entries but replayed ones whose dead letter is gone; lock the other dead letters until the commit."""
    ids = [entry.dead_letter_id for entry in entries if entry.dead_letter_id is not None]
    if not ids:
        return entries
    cursor.execute(LOCK_DEAD_LETTERS, [ids])
    locked = {int(dead_letter_id) for (dead_letter_id,) in cursor}
    return [entry for entry in entries if entry.dead_letter_id is None or entry.dead_letter_id in locked]


def resolve_dead_letters(cursor: Cursor, entries: Sequence[StreamEntry], unreadable: Container[StreamEntry]) -> None:
    """Delete the dead letters of entries that the same transaction stores."""
    letters = [
        entry.dead_letter_id for entry in entries if entry.dead_letter_id is not None and entry not in unreadable
    ]
    if letters:
        cursor.execute(RESOLVE_DEAD_LETTERS, [letters])


def unknown_projects(cursor: Cursor, missing: Collection[str]) -> set[str]:
    """Return the missing projects that were not deleted: they were never in this database."""
    cursor.execute(FIND_PUBLICATIONS, [list(missing)])
    return set(missing) - {project_id for (project_id,) in cursor}


def store_dead_letter(cursor: Cursor, entry: StreamEntry, reason: str, digests: DeviceDigests) -> None:
    """Store an entry as a dead letter, unless its project or, after the receipt, its device was deleted.

    The dead letter of a project that was never in this database has no project.
    """
    text = reason.encode(errors="replace").decode().replace("\0", "")[:MAX_REASON_LENGTH]
    if entry.dead_letter_id is not None:
        again = {"letter": entry.dead_letter_id, "attempts": entry.failures + 1, "reason": text}
        cursor.execute(NOTE_FAILED_REPLAY, again)
        return
    project_id = project_of(entry.body)
    if project_id is not None:
        if not _lock_project(cursor, project_id):
            if not unknown_projects(cursor, [project_id]):
                return
            project_id = None
        elif _is_erased(cursor, project_id, entry, digests):
            return
    values = {"stream": entry.stream, "entry": entry.entry_id, "body": entry.body}
    cursor.execute(STORE_DEAD_LETTER, {"project": project_id, "reason": text, **values})


def project_of(body: bytes) -> str | None:
    """Return the project of an entry, as far as its body can be read, so that both are deleted together."""
    try:
        project_id = decode_record(body).project_id
    except StreamRecordError:
        found = _PROJECT_ID.search(body)
        return found.group().decode() if found else None
    # PostgreSQL compares no text with NUL.
    return None if "\0" in project_id else project_id


def _lock_project(cursor: Cursor, project_id: str) -> bool:
    """Lock a project against deletion until the commit. Return whether it exists."""
    cursor.execute(LOCK_PROJECT, [project_id])
    return cursor.fetchone() is not None


def _is_erased(cursor: Cursor, project_id: str, entry: StreamEntry, digests: DeviceDigests) -> bool:
    """Return whether the device was erased after the entry; the device of an unreadable body is not known."""
    try:
        record = decode_record(entry.body)
    except StreamRecordError:
        return False
    # A statement of its own after the lock: a statement that waited for a lock still sees the rows from before.
    erasures = digests.find_erasures(cursor, [(project_id, record.device_id)])
    return any(erasure.is_after_entry(entry.accepted_at_ms) for erasure in erasures.values())


def replay_dead_letters(
    database: Database, redis: Redis, criteria: DeadLetterFilter, report_progress: Callable[[int, int], None]
) -> int:
    """Replay dead letters, and return their number; calls `report_progress` with the numbers of done ones and of all.

    Raises RedisError and UnavailableError; dead letters that were replayed by then stay replayed.
    """
    done = 0
    with database.reading() as session:
        total = count_dead_letters(session, criteria)
        report_progress(done, total)
        for page in dead_letter_pages(session, criteria, PAGE):
            _send(redis, page)
            _mark(database, page)
            done += len(page)
            report_progress(done, max(done, total))
    return done


def _send(redis: Redis, dead_letters: Sequence[DeadLetter]) -> None:
    with redis.pipeline(transaction=False) as pipeline:
        for letter in dead_letters:
            fields = {EVENT_FIELD: letter.body, DEAD_LETTER_FIELD: str(letter.id), ATTEMPTS_FIELD: str(letter.attempts)}
            # The stream that the entry came from.
            stream = letter.stream if letter.stream in event_streams() else event_streams()[0]
            pipeline.xadd(stream, fields)  # type: ignore[arg-type]  # redis-py's dict is invariant
        pipeline.execute()


def _mark(database: Database, dead_letters: Sequence[DeadLetter]) -> None:
    """Mark dead letters as replayed, unless a consumer has stored another failure meanwhile."""
    with database.transaction() as session:
        for letter in dead_letters:
            session.execute(
                update(DeadLetter)
                .where(DeadLetter.id == letter.id, DeadLetter.attempts == letter.attempts)
                .values(replayed_at=func.clock_timestamp())
            )
