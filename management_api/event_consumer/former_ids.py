"""What a consumer remembers of the ids of the turn before, so that new ids need not be looked up among them.

It is a Bloom filter (Bloom 1970) of one hash, the first bits of the digest: an id whose bit is not set is not there,
and one whose bit is set is looked up. The table of the turn before takes nothing in until the next turn, so that the
filter is read once and holds until then. A function of the database (migration 0014) compares for which turn it was
made, in the transaction that stores.
"""

import threading
import time
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt
import structlog

from management_api.database.driver import driver_connection
from management_api.database.recent_event_ids import DIGEST_BYTES
from management_api.database.transactions import Database
from management_api.event_consumer.listed_ids import ListedIds, Suspects, suspect_all

log = structlog.stdlib.get_logger(__name__)

#: So many bits there are for each id, or half as many, if the limit allows it: one new id in so many is looked up.
_BITS_FOR_AN_ID = 64
#: So much of a digest is read; more bits than it can tell apart are never needed.
_HEAD_BYTES = 4
_HEAD_BITS = _HEAD_BYTES * 8
#: So many bits an element of the bitmap has.
_EIGHT = np.uint32(8)
_FEWEST_BITS = 1 << 16
#: Of a block of 8 KiB: a row takes 48 bytes, its place 4 more.
_IDS_OF_A_BLOCK = 157
#: One transaction reads so many blocks; a change of turns waits for no more.
_BLOCKS_AT_ONCE = 256
#: Seconds between two looks at whose turn it is.
_LOOK_SECONDS = 10.0

_READ_TURN = b"SELECT turn, turn_since FROM event_storage"
_COUNT_BLOCKS = b"SELECT pg_relation_size(%s::regclass) / current_setting('block_size')::integer"
_TABLES = ("recent_event_ids_even", "recent_event_ids_odd")
_READ_HEADS = tuple(
    f"""
    SELECT string_agg(substring(uuid_send(digest) FOR {_HEAD_BYTES}), ''::bytea) FROM {table}
    WHERE ctid >= format('(%%s,0)', %s::bigint)::tid AND ctid < format('(%%s,0)', %s::bigint)::tid
    """.encode()  # noqa: S608 - constants # nosec B608 # as said
    for table in _TABLES
)


@dataclass(frozen=True, slots=True)
class _Filter:
    """`bits` is a bitmap, eight to an element; an id's place in it is its head without the last `shift` bits."""

    since: datetime
    bits: npt.NDArray[np.uint8]
    shift: np.uint32

    def add(self, heads: npt.NDArray[np.uint32]) -> None:
        places = heads >> self.shift
        np.bitwise_or.at(self.bits, places // _EIGHT, _bit_of(places))

    def suspects(self, listed: ListedIds) -> Suspects:
        places = _heads(b"".join(listed.digests.uuids), of=DIGEST_BYTES) >> self.shift
        found = np.flatnonzero(self.bits[places // _EIGHT] & _bit_of(places))
        return Suspects(self.since, listed.only(found.tolist()))


class FormerIds:
    """One for all lanes of a process. It never costs more memory than its limit, and knows nothing at first."""

    def __init__(self, database: Database, *, limit_bytes: int) -> None:
        self._database = database
        self._limit_bits = min(limit_bytes * 8, 1 << _HEAD_BITS)
        self._filter: _Filter | None = None
        #: The turn that was looked at last.
        self._since: datetime | None = None

    @property
    def is_known(self) -> bool:
        """Whether new ids are told without a look into the table."""
        return self._filter is not None

    def suspects(self, listed: ListedIds) -> Suspects:
        """Tell which of the ids have to be looked up."""
        # Another thread may replace it.
        filter_now = self._filter
        return suspect_all(listed) if filter_now is None else filter_now.suspects(listed)

    def run_until(self, stop: threading.Event) -> None:
        """Keep up with the turns until told to stop; meanwhile, and during an outage, all ids are looked up."""
        while not stop.is_set():
            try:
                self.refresh(stop)
            except Exception as error:  # noqa: BLE001 - the thread would end, and all ids be looked up for ever
                log.warning("consumer.former_ids_not_read", error=type(error).__name__, reason=str(error))
            stop.wait(_LOOK_SECONDS)

    def refresh(self, stop: threading.Event | None = None) -> None:
        """Read the table of the turn before, unless that is done; a stop ends it in the middle."""
        since, former, blocks = self._look()
        if since == self._since:
            return
        # The memory of the last one is free before the next is made.
        self._filter = None
        bits = self._bits_for(blocks * _IDS_OF_A_BLOCK)
        if bits is None:
            self._since = since
            return
        started_at = time.monotonic()
        made = _Filter(since, np.zeros(bits // 8, np.uint8), np.uint32(_HEAD_BITS + 1 - bits.bit_length()))
        ids = 0
        for block in range(0, blocks, _BLOCKS_AT_ONCE):
            if stop is not None and stop.is_set():
                return
            heads = self._read_heads(former, block)
            made.add(heads)
            ids += len(heads)
        # If they changed turns meanwhile, something else was read.
        if self._look()[0] == since:
            self._filter, self._since = made, since
            seconds = round(time.monotonic() - started_at, 2)
            log.info("consumer.former_ids_read", ids=ids, kibibytes=bits // 8192, seconds=seconds)

    def _look(self) -> tuple[datetime, int, int]:
        """Tell since when the turn is, which table is of the one before, and how many blocks that has."""
        with self._database.transaction() as session:
            connection = driver_connection(session)
            [(turn, since)] = connection.execute(_READ_TURN).fetchall()
            former = (turn + 1) % len(_TABLES)
            [(blocks,)] = connection.execute(_COUNT_BLOCKS, [_TABLES[former]]).fetchall()
        return since, former, blocks

    def _read_heads(self, former: int, block: int) -> npt.NDArray[np.uint32]:
        with self._database.transaction() as session:
            connection = driver_connection(session)
            places = [block, block + _BLOCKS_AT_ONCE]
            [(heads,)] = connection.execute(_READ_HEADS[former], places, binary=True).fetchall()
        return _heads(heads or b"", of=_HEAD_BYTES)

    def _bits_for(self, ids: int) -> int | None:
        """Give a power of two, or None where the limit is so small that most ids would be looked up anyway."""
        wanted = max(ids * _BITS_FOR_AN_ID, _FEWEST_BITS)
        if self._limit_bits < max(ids, _FEWEST_BITS):
            if self._limit_bits:
                log.warning("consumer.former_ids_too_many", ids=ids, setting="ONBOARDING_CONSUMER_ID_FILTER_MB")
            return None
        return 1 << (min(wanted, self._limit_bits).bit_length() - 1)


def _heads(content: bytes, *, of: int) -> npt.NDArray[np.uint32]:
    """Give the first bytes of each so many as a number."""
    return np.frombuffer(content, ">u4")[:: of // _HEAD_BYTES].astype(np.uint32)


def _bit_of(places: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    return np.uint8(1) << (places % _EIGHT).astype(np.uint8)
