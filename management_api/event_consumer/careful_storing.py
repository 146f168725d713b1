"""Storing around what cannot be stored: a batch is cut into pieces until the entry at fault stands alone.

Three things can be wrong. The data: the entry becomes a dead letter. A lock: what belongs to that project is held back
and tried again later. The server: then nothing can be stored, which is told by an empty batch that fails as well.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import psycopg
import structlog
from psycopg import errors

from management_api.event_consumer.batch_store import BatchRefusedError, BatchStore
from management_api.event_consumer.dead_letters import project_of
from management_api.event_consumer.preparation import PreparedBatch, prepare_batch
from management_api.event_consumer.stream_entry import StreamEntry

log = structlog.stdlib.get_logger(__name__)

#: Classes of SQLSTATE, and single ones, that say that the server cannot, whatever is asked of it: connection lost,
#: transaction rolled back, a schema that is not there yet or may not be used, out of memory, disk or connections, shut
#: down, trouble with the machine; and one that takes no writes (after a failover the old primary is one for a while).
SERVER_CLASSES = frozenset({"08", "40", "42", "53", "58"})
SERVER_STATES = frozenset({"57P01", "57P02", "57P03", "57P05", "25006", "25P03", "25P04"})


@dataclass(slots=True)
class Outcome:
    """What became of a batch; all entries but those that were held back may be acknowledged."""

    stored: int = 0
    dead_letters: int = 0
    held_back: tuple[StreamEntry, ...] = ()

    def add(self, other: "Outcome") -> None:
        """Add the outcome of another piece."""
        self.stored += other.stored
        self.dead_letters += other.dead_letters
        self.held_back += other.held_back


class CarefulStore:
    """Stores what can be stored of a batch, for one lane."""

    def __init__(self, store: BatchStore, *, hold_seconds: float) -> None:
        self._store = store
        self._hold_seconds = hold_seconds
        #: Projects whose rows somebody has locked, and until when (monotonic seconds) nobody waits for them again.
        self._held: dict[str | None, float] = {}

    def store(self, batch: PreparedBatch) -> Outcome:
        """Store all entries that can be stored, and keep those that never can be as dead letters.

        Raises an error of the database when the server fails; what was stored until then is recognised the next time.
        """
        self._held = {project: until for project, until in self._held.items() if until > time.monotonic()}
        if not self._held:
            return self._store_batch(batch)
        held = tuple(entry for entry in batch.entries if project_of(entry.body) in self._held)
        outcome = self._store_piece(batch.without(held)) if held else self._store_batch(batch)
        outcome.held_back += held
        return outcome

    def _store_piece(self, entries: Sequence[StreamEntry]) -> Outcome:
        return self._store_batch(prepare_batch(entries))

    def _store_batch(self, batch: PreparedBatch) -> Outcome:
        entries = batch.entries
        if not entries:
            return Outcome()
        try:
            self._store.store_prepared(batch)
        except BatchRefusedError as error:
            return self._cut(entries, str(error))
        except errors.LockNotAvailable:
            return self._hold_back(entries)
        except psycopg.Error as error:
            if _is_of_the_server(error):
                raise
            # A timeout, a defect of the server's, a trigger that refuses: storing nothing tells whether it is the data.
            self._store.store(())
            return self._cut(entries, f"{type(error).__name__}: {error}")
        return Outcome(stored=len(entries))

    def _cut(self, entries: Sequence[StreamEntry], reason: str) -> Outcome:
        if len(entries) > 1:
            middle = len(entries) // 2
            return self._store_each((entries[:middle], entries[middle:]))
        entry = entries[0]
        self._store.store_dead_letter(entry, reason)
        log.warning("event.dead_letter", stream=entry.stream, entry_id=entry.entry_id, kind=reason.partition(":")[0])
        return Outcome(dead_letters=1)

    def _hold_back(self, entries: Sequence[StreamEntry]) -> Outcome:
        """Store the projects one by one; those that somebody holds wait."""
        projects: dict[str | None, list[StreamEntry]] = defaultdict(list)
        for entry in entries:
            projects[project_of(entry.body)].append(entry)
        if len(projects) > 1:
            return self._store_each(projects.values())
        (project_id,) = projects
        self._held[project_id] = time.monotonic() + self._hold_seconds
        log.warning("events.held_back", project=project_id, entries=len(entries))
        return Outcome(held_back=tuple(entries))

    def _store_each(self, pieces: Iterable[Sequence[StreamEntry]]) -> Outcome:
        outcome = Outcome()
        for piece in pieces:
            outcome.add(self._store_piece(piece))
        return outcome


def _is_of_the_server(error: psycopg.Error) -> bool:
    """Tell an outage; an error without a state was not the server's word."""
    state = error.sqlstate
    return state is None or state[:2] in SERVER_CLASSES or state in SERVER_STATES
