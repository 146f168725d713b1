"""A batch made ready to be stored, before a transaction is open: whatever needs no word of PostgreSQL's."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from management_api.activity.steps import Steps, done_at_once
from management_api.event_consumer.batch_activity import BatchActivity
from management_api.event_consumer.decoding import DecodedBatch, UnreadableEntry, decoding
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


class Preparation:
    """A batch that is made ready step by step, as an iterator of steps that give nothing.

    Never raises for what an entry holds.
    """

    def __init__(self, entries: Sequence[StreamEntry]) -> None:
        self._steps = _preparing(entries)
        self._batch: PreparedBatch | None = None

    def __iter__(self) -> Iterator[None]:
        return self

    def __next__(self) -> None:
        try:
            next(self._steps)
        except StopIteration as end:
            if self._batch is None:
                self._batch = end.value
            raise

    def finish(self) -> PreparedBatch:
        """Do what is left, and give the batch."""
        if self._batch is None:
            self._batch = done_at_once(self._steps)
        return self._batch


def prepare_batch(entries: Sequence[StreamEntry]) -> PreparedBatch:
    """Make a batch ready at once."""
    return Preparation(entries).finish()


def _preparing(entries: Sequence[StreamEntry]) -> Steps[PreparedBatch]:
    """Decode a batch, encode its rows and ids, and count it."""
    decoded = yield from decoding(entries)
    yield
    activity = yield from BatchActivity.making(decoded.events, decoded.exposures, decoded.event_devices)
    yield
    of_events = {project_id for project_id, _ in decoded.event_devices}
    return PreparedBatch(
        entries=entries,
        activity=activity,
        unreadable=decoded.unreadable,
        project_ids=sorted(of_events | {record.project_id for record in decoded.exposures}),
        used_keys=_used_keys(decoded),
        has_letters=any(entry.letter_id is not None for entry in entries),
        refusal=decoded.refusal,
    )


def _used_keys(decoded: DecodedBatch) -> list[UsedKey]:
    used: dict[tuple[str, str | None], int] = {}
    for event in decoded.events:
        record = event.record
        key = (record.project_id, record.secret_key_id)
        if record.received_at_ms > used.get(key, 0):
            used[key] = record.received_at_ms
    for exposure in decoded.exposures:
        key = (exposure.project_id, exposure.secret_key_id)
        if exposure.exposed_at_ms > used.get(key, 0):
            used[key] = exposure.exposed_at_ms
    return [(project_id, key_id, at_ms) for (project_id, key_id), at_ms in used.items() if key_id is not None]
