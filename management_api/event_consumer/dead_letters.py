"""Dead letters as the consumer writes them: kept with a reason, settled when what was replayed is stored.

A letter stays until its entry is stored, in the same transaction; so a replay that is interrupted anywhere neither
loses an event nor counts one twice. A replayed entry whose letter is gone was stored or erased meanwhile, and dropped.
"""

import re
from collections.abc import Collection, Container, Sequence
from typing import Any

import psycopg

from common.wire.stream_records import StreamRecordError, decode_record
from management_api.database.device_digests import digest_of_device
from management_api.event_consumer.stream_entry import StreamEntry

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

Cursor = psycopg.Cursor[tuple[Any, ...]]


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
