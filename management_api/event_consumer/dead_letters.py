"""Dead letters: entries that cannot be stored, kept with a reason, listed, and replayed into their streams.

A letter stays until its entry is stored, in the same transaction. So a replay that is interrupted anywhere neither
loses an event nor counts one twice. A replayed entry whose letter is gone was stored or erased meanwhile, and is
dropped.
"""

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from redis import Redis
from sqlalchemy import ColumnElement, Select, func, select, true, update
from sqlalchemy.orm import Session

from common.wire.redis_keys import ATTEMPTS_FIELD, EVENT_FIELD, LETTER_FIELD, event_stream_of, event_streams
from common.wire.stream_records import StreamRecordError, decode_record
from management_api.db.device_digests import digest_of_device
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.event_consumer.stream import StreamEntry

#: A reason has to tell an operator what is wrong, not to repeat the body.
MAX_REASON_LENGTH = 500

#: The kind of the letters of projects that were never in this database.
UNKNOWN_PROJECT = "UnknownProject"

#: Keeps a project until the commit, so that neither it nor one of its devices is erased meanwhile.
HOLD_PROJECT = "SELECT id FROM projects WHERE id = %s FOR KEY SHARE"

#: A deleted project keeps its publication. A project without one was never in this database, or a restore has lost it.
FIND_PUBLICATIONS = "SELECT project_id FROM publications WHERE project_id = ANY(%s)"

#: A statement of its own behind the hold, since a statement that waited for a lock still sees what was there before.
FIND_ERASURE = """
    SELECT floor(extract(epoch FROM erased_at) * 1000)::bigint FROM erased_devices
    WHERE project_id = %s AND digest = %s
"""

#: Keeps an entry. One that is delivered again is the same letter.
STORE_LETTER = """
    INSERT INTO dead_letters (project_id, stream, entry_id, body, reason)
    VALUES (%(project)s, %(stream)s, %(entry)s, %(body)s, %(reason)s)
    ON CONFLICT (stream, entry_id) DO NOTHING
"""

#: Notes that a replay has failed; the letter of an erased device or a deleted project does not come back.
NOTE_FAILED_REPLAY = """
    UPDATE dead_letters
    SET attempts = %(attempts)s, reason = %(reason)s, last_failed_at = clock_timestamp(), replayed_at = NULL
    WHERE id = %(letter)s
"""

LOCK_LETTERS = "SELECT id FROM dead_letters WHERE id = ANY(%s) ORDER BY id FOR UPDATE"

SETTLE_LETTERS = "DELETE FROM dead_letters WHERE id = ANY(%s)"

#: How a project's id looks in bytes that are no record; in every format so far it comes first.
_PROJECT_ID = re.compile(rb"proj_[0-7][0-9a-hjkmnp-tv-z]{25}")

#: The part of a reason that letters are told apart by: the name of the error.
KIND = func.split_part(DeadLetter.reason, ":", 1)

#: Letters that are sent to Redis at once; a body has some kilobytes.
PAGE = 500

Cursor = psycopg.Cursor[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class DeadLetterFilter:
    """Those that fit everything that is named; nothing named means all."""

    ids: tuple[int, ...] = ()
    kind: str | None = None
    project_id: str | None = None
    #: Also those that were replayed and of which nothing was heard since.
    replayed_too: bool = False

    def condition(self) -> ColumnElement[bool]:
        """Give the condition that a letter has to meet."""
        condition: ColumnElement[bool] = true()
        if self.ids:
            condition &= DeadLetter.id.in_(self.ids)
        if self.kind is not None:
            condition &= self.kind == KIND
        if self.project_id is not None:
            condition &= DeadLetter.project_id == self.project_id
        if not self.replayed_too:
            condition &= DeadLetter.replayed_at.is_(None)
        return condition


@dataclass(frozen=True, slots=True)
class DeadLetterSummary:
    """How many letters there are of one kind. `replayed` of them are on their way through their stream again."""

    kind: str
    letters: int
    replayed: int
    oldest_at: datetime


def summarize_dead_letters(session: Session) -> list[DeadLetterSummary]:
    """Count the letters of each kind, most first."""
    letters = func.count()
    counted = select(KIND, letters, func.count(DeadLetter.replayed_at), func.min(DeadLetter.created_at))
    return [DeadLetterSummary(*row) for row in session.execute(counted.group_by(KIND).order_by(letters.desc(), KIND))]


def count_dead_letters(session: Session, which: DeadLetterFilter) -> int:
    """Count the letters."""
    return session.scalar(select(func.count()).select_from(DeadLetter).where(which.condition())) or 0


def newest_dead_letters(session: Session, which: DeadLetterFilter, count: int) -> list[DeadLetter]:
    """Give the newest letters, without their bodies' being of interest."""
    return list(session.scalars(_letters(which).order_by(DeadLetter.id.desc()).limit(count)))


def dead_letter_pages(session: Session, which: DeadLetterFilter, size: int) -> Iterator[list[DeadLetter]]:
    """Give all letters that there are now, the oldest first, in pages of a bounded size."""
    last = session.scalar(select(func.max(DeadLetter.id))) or 0
    after = 0
    while page := list(
        session.scalars(
            _letters(which).where(DeadLetter.id > after, DeadLetter.id <= last).order_by(DeadLetter.id).limit(size)
        )
    ):
        yield page
        after = page[-1].id
        session.expunge_all()


def _letters(which: DeadLetterFilter) -> Select[DeadLetter]:
    return select(DeadLetter).where(which.condition())


def still_wanted(cursor: Cursor, entries: Sequence[StreamEntry]) -> Sequence[StreamEntry]:
    """Leave out replayed entries whose letter is gone, and hold the letters of the others until the commit."""
    letters = [entry.letter_id for entry in entries if entry.letter_id is not None]
    if not letters:
        return entries
    cursor.execute(LOCK_LETTERS, [letters])
    held = {int(letter_id) for (letter_id,) in cursor}
    return [entry for entry in entries if entry.letter_id is None or entry.letter_id in held]


def settle_letters(cursor: Cursor, entries: Sequence[StreamEntry], unreadable: Container[StreamEntry]) -> None:
    """Remove the letters of those entries that the same transaction stores."""
    letters = [entry.letter_id for entry in entries if entry.letter_id is not None and entry not in unreadable]
    if letters:
        cursor.execute(SETTLE_LETTERS, [letters])


def unknown_projects(cursor: Cursor, missing: Collection[str]) -> set[str]:
    """Return the missing projects that were not deleted: they were never in this database."""
    if not missing:
        return set()
    cursor.execute(FIND_PUBLICATIONS, [list(missing)])
    return set(missing) - {project_id for (project_id,) in cursor}


def store_letter(cursor: Cursor, entry: StreamEntry, reason: str) -> None:
    """Keep an entry that cannot be stored, unless its project or, after the receipt, its device was deleted.

    A letter of a project that was never in this database has no project.
    """
    shown = reason.encode(errors="replace").decode().replace("\0", "")[:MAX_REASON_LENGTH]
    if entry.letter_id is not None:
        again = {"letter": entry.letter_id, "attempts": entry.failures + 1, "reason": shown}
        cursor.execute(NOTE_FAILED_REPLAY, again)
        return
    project_id = project_of(entry.body)
    if project_id is not None:
        if not _hold_project(cursor, project_id):
            if not unknown_projects(cursor, [project_id]):
                return
            project_id = None
        elif _is_erased(cursor, project_id, entry):
            return
    values = {"stream": entry.stream, "entry": entry.entry_id, "body": entry.body}
    cursor.execute(STORE_LETTER, {"project": project_id, "reason": shown, **values})


def project_of(body: bytes) -> str | None:
    """Tell whose entry it is, as far as can be told, so that it goes when the project goes."""
    try:
        project_id = decode_record(body).project_id
    except StreamRecordError:
        found = _PROJECT_ID.search(body)
        return found.group().decode() if found else None
    # What PostgreSQL would not even compare is nobody's.
    return None if "\0" in project_id else project_id


def _hold_project(cursor: Cursor, project_id: str) -> bool:
    """Keep a project until the commit. Return whether it exists."""
    cursor.execute(HOLD_PROJECT, [project_id])
    return cursor.fetchone() is not None


def _is_erased(cursor: Cursor, project_id: str, entry: StreamEntry) -> bool:
    """Return whether the device was erased after the entry; the device of an unreadable body is not known."""
    try:
        record = decode_record(entry.body)
    except StreamRecordError:
        return False
    cursor.execute(FIND_ERASURE, [project_id, digest_of_device(project_id, record.device_id)])
    return any(entry.accepted_at_ms <= erased_at_ms for (erased_at_ms,) in cursor)


def replay_dead_letters(
    database: Database, redis: Redis, which: DeadLetterFilter, note_progress: Callable[[int, int], None]
) -> int:
    """Replay the letters and tell how many; `note_progress` is called with how many are done, and of how many.

    Raises RedisError and UnavailableError; what was replayed until then stays replayed.
    """
    done = 0
    with database.reading() as session:
        total = count_dead_letters(session, which)
        note_progress(done, total)
        for page in dead_letter_pages(session, which, PAGE):
            _send(redis, page)
            _mark(database, page)
            done += len(page)
            note_progress(done, max(done, total))
    return done


def _send(redis: Redis, letters: Sequence[DeadLetter]) -> None:
    with redis.pipeline(transaction=False) as pipeline:
        for letter in letters:
            fields = {EVENT_FIELD: letter.body, LETTER_FIELD: str(letter.id), ATTEMPTS_FIELD: str(letter.attempts)}
            pipeline.xadd(_stream_of(letter), fields)  # type: ignore[arg-type]  # redis-py's dict is invariant
        pipeline.execute()


def _stream_of(letter: DeadLetter) -> str:
    """Name the stream that the entry would go to today; where nobody can say whose it is, the one it came from."""
    if letter.project_id is not None:
        return event_stream_of(letter.project_id)
    return letter.stream if letter.stream in event_streams() else event_streams()[0]


def _mark(database: Database, letters: Sequence[DeadLetter]) -> None:
    """Mark them as replayed, but for those that a consumer has already seen fail again."""
    with database.transaction() as session:
        for letter in letters:
            session.execute(
                update(DeadLetter)
                .where(DeadLetter.id == letter.id, DeadLetter.attempts == letter.attempts)
                .values(replayed_at=func.clock_timestamp())
            )
