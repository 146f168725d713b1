"""How far a read replica is behind the primary, told by what any user may ask of both."""

import math
from dataclasses import dataclass

from sqlalchemy import BigInteger, Float, literal_column, select
from sqlalchemy.orm import Session

from management_api.database.prepared import Prepared


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the log of changes, in bytes, and a moment by the primary's clock, in Unix seconds."""

    bytes: int
    at: float


def _position(place: str, moment: str) -> Prepared[int | None, float | None]:
    return Prepared(
        select(
            literal_column(f"pg_wal_lsn_diff({place}, '0/0')::bigint", BigInteger).label("bytes"),
            literal_column(f"extract(epoch FROM {moment})::float8", Float).label("at"),
        )
    )


#: Behind a name of several hosts there may be no primary just now.
_WRITTEN = _position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END", "clock_timestamp()"
)
_REPLAYED = _position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END", "pg_last_xact_replay_timestamp()"
)


def written_by(primary: Session) -> Position:
    """Say how far the primary has come, now."""
    [(place, moment)] = _WRITTEN.rows(primary)
    return Position(place or 0, moment or 0.0)


def seconds_behind(replica: Session, written: Position) -> float:
    """Say how far the replica is behind what the primary had written, which was asked first.

    0 where it has all of that; else the age of the last transaction that it has replayed, so that an idle primary makes
    none that is too old. Infinite where it has replayed none yet. What does not follow a log (another kind of
    replica, the primary itself) cannot be told, and gives 0.
    """
    [(place, moment)] = _REPLAYED.rows(replica)
    if place is None or place >= written.bytes:
        return 0.0
    return math.inf if moment is None else max(0.0, written.at - moment)
