"""The ids of events as the statements take them: all digests in a row, and which run of it is of which project."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import accumulate, chain
from typing import NamedTuple, Self

import numpy as np

from management_api.database.uuid_arrays import UuidArray


class ListedIds(NamedTuple):
    """`firsts` and `lasts` are subscripts as SQL counts them: from 1, the last included. A run may be empty."""

    digests: UuidArray
    projects: Sequence[int]
    firsts: Sequence[int]
    lasts: Sequence[int]

    @classmethod
    def of(cls, ordered: Mapping[int, Sequence[bytes]]) -> Self:
        """List the digests of each project, given by its key."""
        lasts = list(accumulate(map(len, ordered.values())))
        firsts = [last - len(digests) + 1 for last, digests in zip(lasts, ordered.values(), strict=True)]
        return cls(UuidArray([*chain(*ordered.values())]), list(ordered), firsts, lasts)

    def only(self, places: Sequence[int]) -> Self:
        """Leave out all digests but those at these places, which are in order and count from 0."""
        uuids = self.digests.uuids
        before_first = np.searchsorted(places, [first - 1 for first in self.firsts])
        lasts = np.searchsorted(places, self.lasts)
        kept = UuidArray([uuids[place] for place in places])
        return type(self)(kept, self.projects, (before_first + 1).tolist(), lasts.tolist())


class Suspects(NamedTuple):
    """Those ids that the turn before may have. `since` says of which turn that is known."""

    since: datetime | None
    listed: ListedIds


_OF_NO_TURN = Suspects(None, ListedIds.of({}))


def suspect_all(_listed: ListedIds) -> Suspects:
    """Know nothing of any turn, so that all ids are looked up."""
    return _OF_NO_TURN
