"""Stores the good entries of a batch with bad ones: the batch is bisected until the bad entry stands alone.

Three things can be wrong. The data: the entry becomes a dead letter. A lock: the entries of that project are deferred
and tried again later. The server: nothing can be stored, so that an empty batch fails as well.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import psycopg
import structlog
from psycopg import errors

from management_api.event_consumer.dead_letters import project_of
from management_api.event_consumer.store import BatchRefusedError, BatchStore
from management_api.event_consumer.stream import StreamEntry

log = structlog.stdlib.get_logger(__name__)

#: Classes of SQLSTATE, and single ones, of a server that can store nothing: connection lost, transaction rolled back, a
#: schema that is not there yet or may not be used, out of memory, disk or connections, shut down, system
#: errors; and a server that is read-only (after a failover the old primary is for a while).
SERVER_CLASSES = frozenset({"08", "40", "42", "53", "58"})
SERVER_STATES = frozenset({"57P01", "57P02", "57P03", "57P05", "25006", "25P03", "25P04"})


@dataclass(slots=True)
class Outcome:
    """The result of a batch. All entries but the deferred ones may be acknowledged."""

    stored: int = 0
    dead_letters: int = 0
    deferred: tuple[StreamEntry, ...] = ()

    def add(self, other: "Outcome") -> None:
        """Add the outcome of another part."""
        self.stored += other.stored
        self.dead_letters += other.dead_letters
        self.deferred += other.deferred


class BisectingStore:
    """Stores the entries of a batch that can be stored, for one stream worker."""

    def __init__(self, store: BatchStore, *, defer_seconds: float) -> None:
        self._store = store
        self._defer_seconds = defer_seconds
        #: Projects with locked rows, and until when (monotonic seconds) their entries are deferred at once.
        self._locked: dict[str | None, float] = {}

    def store(self, entries: Sequence[StreamEntry]) -> Outcome:
        """Store all entries that can be stored, and keep those that never can as dead letters.

        Raises an error of the database when the server fails; entries that are stored by then are recognised the next
        time.
        """
        self._locked = {project: until for project, until in self._locked.items() if until > time.monotonic()}
        if not self._locked:
            return self._store_part(entries)
        deferred = tuple(entry for entry in entries if project_of(entry.body) in self._locked)
        left_out = frozenset(deferred)
        outcome = self._store_part([entry for entry in entries if entry not in left_out])
        outcome.deferred += deferred
        return outcome

    def _store_part(self, entries: Sequence[StreamEntry]) -> Outcome:
        if not entries:
            return Outcome()
        try:
            self._store.store(entries)
        except BatchRefusedError as error:
            return self._bisect(entries, str(error))
        except errors.LockNotAvailable:
            return self._defer(entries)
        except psycopg.Error as error:
            if _is_server_error(error):
                raise
            # A timeout, a defect of the server, a trigger that raises: if an empty batch fails too, the server is the
            # cause.
            self._store.store(())
            return self._bisect(entries, f"{type(error).__name__}: {error}")
        return Outcome(stored=len(entries))

    def _bisect(self, entries: Sequence[StreamEntry], reason: str) -> Outcome:
        if len(entries) > 1:
            middle = len(entries) // 2
            return self._store_parts((entries[:middle], entries[middle:]))
        entry = entries[0]
        self._store.store_dead_letter(entry, reason)
        log.warning("event.dead_letter", stream=entry.stream, entry_id=entry.entry_id, kind=reason.partition(":")[0])
        return Outcome(dead_letters=1)

    def _defer(self, entries: Sequence[StreamEntry]) -> Outcome:
        """Store the projects one by one; the entries of those with locked rows are deferred."""
        projects: dict[str | None, list[StreamEntry]] = defaultdict(list)
        for entry in entries:
            projects[project_of(entry.body)].append(entry)
        if len(projects) > 1:
            return self._store_parts(projects.values())
        (project_id,) = projects
        self._locked[project_id] = time.monotonic() + self._defer_seconds
        log.warning("events.deferred", project=project_id, entries=len(entries))
        return Outcome(deferred=tuple(entries))

    def _store_parts(self, parts: Iterable[Sequence[StreamEntry]]) -> Outcome:
        outcome = Outcome()
        for part in parts:
            outcome.add(self._store_part(part))
        return outcome


def _is_server_error(error: psycopg.Error) -> bool:
    """Return whether the server fails; an error without a state comes from a lost connection."""
    state = error.sqlstate
    return state is None or state[:2] in SERVER_CLASSES or state in SERVER_STATES
