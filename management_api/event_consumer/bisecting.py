"""Stores the good entries of a batch with bad ones: the batch is bisected until the bad entry stands alone.

Three things can be wrong. The data: the entry becomes a dead letter. A lock: the entries of that project are deferred,
and stored project by project later. The server: nothing can be stored, so that an empty batch fails as well.
"""

from collections import defaultdict
from collections.abc import Sequence
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

    def __init__(self, store: BatchStore) -> None:
        self._store = store

    def store(self, entries: Sequence[StreamEntry]) -> Outcome:
        """Store all entries that can be stored without waiting, and keep those that never can as dead letters.

        Raises an error of the database when the server fails; entries that are stored by then are recognised the next
        time.
        """
        return self._store_part(entries)

    def retry(self, deferred: Sequence[StreamEntry], locked: set[str | None]) -> Outcome:
        """Store deferred entries, each project in a transaction that waits for its lock. Raises like `store`.

        Entries of the `locked` projects stay deferred; a project whose lock does not come in time is added to them.
        """
        projects: defaultdict[str | None, list[StreamEntry]] = defaultdict(list)
        for entry in deferred:
            projects[project_of(entry.body)].append(entry)
        outcome = Outcome()
        for project_id, entries in projects.items():
            of_project = (
                Outcome(deferred=tuple(entries)) if project_id in locked else self._store_part(entries, waits=True)
            )
            if of_project.deferred:
                locked.add(project_id)
            outcome.add(of_project)
        return outcome

    def _store_part(self, entries: Sequence[StreamEntry], *, waits: bool = False) -> Outcome:
        if not entries:
            return Outcome()
        try:
            deferred = self._store.store(entries, waits=waits)
        except BatchRefusedError as error:
            return self._bisect(entries, str(error), waits=waits)
        except errors.LockNotAvailable:
            return Outcome(deferred=tuple(entries))
        except psycopg.Error as error:
            if _is_server_error(error):
                raise
            # A timeout, a defect of the server, a trigger that raises: if an empty batch fails too, the server is the
            # cause.
            self._store.store(())
            return self._bisect(entries, f"{type(error).__name__}: {error}", waits=waits)
        return Outcome(stored=len(entries) - len(deferred), deferred=tuple(deferred))

    def _bisect(self, entries: Sequence[StreamEntry], reason: str, *, waits: bool) -> Outcome:
        if len(entries) > 1:
            middle = len(entries) // 2
            outcome = self._store_part(entries[:middle], waits=waits)
            outcome.add(self._store_part(entries[middle:], waits=waits))
            return outcome
        entry = entries[0]
        try:
            self._store.store_dead_letter(entry, reason)
        except errors.LockNotAvailable:
            return Outcome(deferred=(entry,))
        log.warning("event.dead_letter", stream=entry.stream, entry_id=entry.entry_id, kind=reason.partition(":")[0])
        return Outcome(dead_letters=1)


def _is_server_error(error: psycopg.Error) -> bool:
    """Return whether the server fails; an error without a state comes from a lost connection."""
    state = error.sqlstate
    return state is None or state[:2] in SERVER_CLASSES or state in SERVER_STATES
