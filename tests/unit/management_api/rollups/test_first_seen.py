"""The first moments of devices are what a plain loop over all cells finds, in whatever pieces and order they come."""

from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from management_api.rollups.reading import DailyFirstSeen, FirstSeen, earliest
from management_api.rollups.rollup import DAY_MS

#: Days, and of each device that was there the millisecond of the day.
CELLS = st.lists(
    st.tuples(
        st.integers(19_000, 19_003),
        st.dictionaries(st.integers(0, 12) | st.integers(0, 2**20), st.integers(0, DAY_MS - 1), max_size=6),
    ),
    max_size=8,
)
Cells = list[tuple[int, dict[int, int]]]


def first_of(cells: Cells) -> FirstSeen:
    """Add the cells up."""
    found = DailyFirstSeen()
    for day, seen in cells:
        moments = np.array([seen[number] for number in sorted(seen)], "<u4").tobytes()
        found.add(day * DAY_MS, BitMap(seen), moments)
    return found.first()


def by_a_loop(cells: Cells) -> dict[int, int]:
    """Find the first moment of each device."""
    first: dict[int, int] = {}
    for day, seen in cells:
        for number, moment in seen.items():
            first[number] = min(day * DAY_MS + moment, first.get(number, 2**63))
    return dict(sorted(first.items()))


def as_pairs(first: FirstSeen) -> dict[int, int]:
    """Give the moment of each device."""
    assert list(first.devices) == first.numbers.tolist()
    return dict(zip(first.numbers.tolist(), first.moments.tolist(), strict=True))


@given(CELLS)
def test_each_device_has_its_earliest_moment(cells: Cells) -> None:
    assert as_pairs(first_of(cells)) == by_a_loop(cells)


@given(st.lists(CELLS, min_size=1, max_size=3))
def test_parts_come_to_what_their_cells_come_to_together(parts: list[Cells]) -> None:
    assert as_pairs(earliest([first_of(part) for part in parts])) == by_a_loop([*chain(*parts)])


@given(CELLS, CELLS)
def test_only_devices_with_both_moments_are_compared(starts: Cells, ends: Cells) -> None:
    started, ended = by_a_loop(starts), by_a_loop(ends)
    both = [number for number in started if number in ended]
    here, there = first_of(starts).in_both(first_of(ends))
    assert (here.tolist(), there.tolist()) == ([started[one] for one in both], [ended[one] for one in both])
