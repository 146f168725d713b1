"""Storing around poison: a batch that cannot be stored is halved until the entry at fault stands alone."""

from collections.abc import Sequence

import structlog

from management_api.event_consumer.batch_store import BatchRefusedError, BatchStore
from management_api.event_consumer.stream_entry import StreamEntry

log = structlog.stdlib.get_logger(__name__)


def store_around_poison(store: BatchStore, entries: Sequence[StreamEntry]) -> None:
    """Store all entries that can be stored, and keep the others as dead letters.

    Raises an error of the database when the server fails; what was stored until then is recognised the next time.
    """
    if not entries:
        return
    try:
        store.store(entries)
    except BatchRefusedError as error:
        if len(entries) == 1:
            store.store_dead_letter(entries[0], str(error))
            log.warning("event.dead_letter", stream=entries[0].stream, entry_id=entries[0].entry_id)
            return
        middle = len(entries) // 2
        store_around_poison(store, entries[:middle])
        store_around_poison(store, entries[middle:])
