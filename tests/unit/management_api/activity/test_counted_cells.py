"""Cells that were counted before their devices had numbers are the cells that are counted with the numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from management_api.activity.counting import DAY_MS, ActivityCount
from management_api.activity.steps import done_at_once

PLACES = 8

MOMENTS = st.integers(-DAY_MS, 2 * DAY_MS)
TYPES = st.sampled_from(["flow_started", "flow_completed", "screen_viewed", "screen_completed", "custom"])
#: What an event may say besides.
TEXTS = st.sampled_from([None, "one", "two"])
COLUMNS = st.tuples(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
EVENTS = st.lists(st.tuples(st.integers(0, PLACES - 1), MOMENTS, TYPES, COLUMNS), max_size=40)
NUMBERS = st.lists(st.integers(0, 2**32 - 1), min_size=PLACES, max_size=PLACES, unique=True)

Columns = tuple[str | None, str | None, str | None, str | None, str | None]


@given(EVENTS, NUMBERS)
def test_places_become_numbers(events: list[tuple[int, int, str, Columns]], numbers: list[int]) -> None:
    by_place, by_number = ActivityCount(), ActivityCount()
    for place, moment, event_type, columns in events:
        by_place.add_event(place, moment, event_type, *columns)
        by_number.add_event(numbers[place], moment, event_type, *columns)
    assert dict(done_at_once(by_place.counting()).cells(np.array(numbers, np.uint32))) == dict(by_number.cells())
