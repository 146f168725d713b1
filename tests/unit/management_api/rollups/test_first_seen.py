"""The first moments of devices equal those of a plain loop over all rollups, in any order and grouping."""

from itertools import chain
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from management_api.rollups import reading
from management_api.rollups.reading import FirstMoments, FirstSeen, earliest
from management_api.rollups.rollup import DAY_MS, Rollup

#: Rollups: the day, and the millisecond of the day by device.
ROLLUPS = st.lists(
    st.tuples(
        st.integers(19_000, 19_003) | st.integers(19_000, 19_120),
        st.dictionaries(st.integers(0, 12) | st.integers(0, 2**20), st.integers(0, DAY_MS - 1), max_size=6),
    ),
    max_size=8,
)
Rollups = list[tuple[int, dict[int, int]]]


def first_of(rollups: Rollups) -> FirstSeen:
    return FirstMoments((day, rollup_of(seen)) for day, seen in sorted(rollups, key=itemgetter(0))).first()


def rollup_of(seen: dict[int, int]) -> Rollup:
    times = np.array([seen[number] for number in sorted(seen)], np.uint32)
    return Rollup(len(seen), BitMap(seen), times)


def by_a_loop(rollups: Rollups) -> dict[int, int]:
    first: dict[int, int] = {}
    for day, seen in rollups:
        for number, moment in seen.items():
            first[number] = min(day * DAY_MS + moment, first.get(number, 2**63))
    return dict(sorted(first.items()))


def as_pairs(first: FirstSeen) -> dict[int, int]:
    assert list(first.devices) == first.numbers.tolist()
    return dict(zip(first.numbers.tolist(), first.moments.tolist(), strict=True))


@given(ROLLUPS)
def test_each_device_has_its_earliest_moment(rollups: Rollups) -> None:
    assert as_pairs(first_of(rollups)) == by_a_loop(rollups)


@given(st.lists(ROLLUPS, min_size=1, max_size=3))
def test_earliest_of_groups_equals_that_of_all_their_rollups(groups: list[Rollups]) -> None:
    assert as_pairs(earliest([first_of(group) for group in groups])) == by_a_loop([*chain(*groups)])


@given(ROLLUPS, ROLLUPS)
def test_only_devices_with_both_moments_are_compared(starts: Rollups, ends: Rollups) -> None:
    started, ended = by_a_loop(starts), by_a_loop(ends)
    both = [number for number in started if number in ended]
    here, there = first_of(starts).in_both(first_of(ends))
    assert (here.tolist(), there.tolist()) == ([started[number] for number in both], [ended[number] for number in both])


@given(ROLLUPS, st.integers(19_000, 19_120), st.integers(1, 8))
def test_devices_seen_before_a_day_have_no_moment(rollups: Rollups, since: int, waiting: int) -> None:
    by_day = ((day, rollup_of(seen)) for day, seen in sorted(rollups, key=itemgetter(0)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_WAITING_TIMES", waiting)
        found = FirstMoments(by_day, since=since)
    first = by_a_loop(rollups)
    assert as_pairs(found.first()) == {number: moment for number, moment in first.items() if moment >= since * DAY_MS}
    assert set(found.seen) == set(first)
