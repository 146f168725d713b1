"""A batch made ready to be stored, before a transaction is open: whatever needs no word of PostgreSQL's."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from management_api.event_consumer.batch_activity import BatchActivity
from management_api.event_consumer.decoding import DecodedBatch, UnreadableEntry, decode_batch
from management_api.event_consumer.stream_entry import StreamEntry

#: Project, secret key, and the moment (Unix milliseconds) of its last use.
UsedKey = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """Stream entries and what is made of them. It never changes, so that storing it can be tried again."""

    entries: Sequence[StreamEntry]
    activity: BatchActivity
    unreadable: Sequence[UnreadableEntry]
    project_ids: Sequence[str]
    used_keys: Sequence[UsedKey]
    #: Whether any of the entries was a dead letter before.
    has_letters: bool
    #: Why the batch cannot be stored as a whole, if that is known already.
    refusal: Exception | None

    def without(self, entries: Collection[StreamEntry]) -> Sequence[StreamEntry]:
        """Give its entries but for these."""
        left_out = frozenset(entries)
        return [entry for entry in self.entries if entry not in left_out] if left_out else self.entries


def prepare_batch(entries: Sequence[StreamEntry]) -> PreparedBatch:
    """Decode a batch, encode its rows and ids, and count it. Never raises for what an entry holds."""
    decoded = decode_batch(entries)
    of_events = {event.record.project_id for event in decoded.events}
    return PreparedBatch(
        entries=entries,
        activity=BatchActivity(decoded.events, decoded.exposures, decoded.event_devices),
        unreadable=decoded.unreadable,
        project_ids=sorted(of_events | {record.project_id for record in decoded.exposures}),
        used_keys=_used_keys(decoded),
        has_letters=any(entry.letter_id is not None for entry in entries),
        refusal=decoded.refusal,
    )


def _used_keys(decoded: DecodedBatch) -> list[UsedKey]:
    used: dict[tuple[str, str], int] = {}
    for project_id, key_id, at_ms in (
        *((row.record.project_id, row.record.secret_key_id, row.record.received_at_ms) for row in decoded.events),
        *((record.project_id, record.secret_key_id, record.exposed_at_ms) for record in decoded.exposures),
    ):
        if key_id is not None:
            used[project_id, key_id] = max(at_ms, used.get((project_id, key_id), at_ms))
    return [(project_id, key_id, at_ms) for (project_id, key_id), at_ms in used.items()]
