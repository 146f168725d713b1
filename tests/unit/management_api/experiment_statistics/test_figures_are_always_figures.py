"""For all counts the figures are finite numbers, or None where they are undefined."""

import math

from hypothesis import example, given
from hypothesis import strategies as st

from management_api.experiment_statistics.comparison import compare, p_value, rate_interval
from management_api.experiment_statistics.counts import Counts


@st.composite
def some_counts(draw: st.DrawFn) -> Counts:
    users = draw(st.one_of(st.integers(0, 30), st.integers(0, 10**9)))
    return Counts(users, draw(st.one_of(st.integers(0, users), st.sampled_from([0, users]))))


@given(some_counts())
@example(Counts(0, 0))
def test_an_interval_contains_its_rate_and_lies_within_0_and_1(counts: Counts) -> None:
    interval = rate_interval(counts)
    if counts.rate is None:
        assert interval is None
    else:
        assert interval is not None
        assert 0 <= interval.low <= counts.rate <= interval.high <= 1


@given(some_counts(), some_counts())
@example(Counts(1, 1), Counts(1, 1))
@example(Counts(1, 0), Counts(1, 0))
@example(Counts(10**9, 10**9), Counts(1, 0))
def test_no_figure_is_ever_infinite_or_none_at_all(control: Counts, treatment: Counts) -> None:
    found = compare(control, treatment, comparisons=1)
    has_users = control.users > 0 and treatment.users > 0
    for probability in (found.p_value, found.sequential_p_value, found.probability_to_beat_control):
        assert (probability is not None) is has_users
        assert probability is None or 0 <= probability <= 1
    assert (found.lift is not None) is (has_users and control.conversions > 0)
    assert (found.lift_interval is None) is (found.lift is None)
    if found.lift is not None and found.lift_interval is not None:
        assert -1 <= found.lift_interval.low <= found.lift <= found.lift_interval.high
        assert math.isfinite(found.lift_interval.high)


@given(some_counts(), some_counts())
@example(Counts(3, 3), Counts(1, 0))
def test_a_lift_of_zero_is_outside_the_interval_exactly_when_the_p_value_is_small(
    control: Counts, treatment: Counts
) -> None:
    found, p = compare(control, treatment, comparisons=1), p_value(control, treatment)
    # Exactly on the boundary the two may round differently.
    if found.lift_interval is not None and p is not None and abs(p - 0.05) > 1e-6:
        assert (found.lift_interval.low > 0 or found.lift_interval.high < 0) is (p < 0.05)


@given(some_counts(), some_counts())
def test_sides_change_places_without_changing_the_tests(one: Counts, other: Counts) -> None:
    here, there = compare(one, other, comparisons=1), compare(other, one, comparisons=1)
    assert here.p_value == there.p_value
    assert here.sequential_p_value == there.sequential_p_value
    if here.probability_to_beat_control is not None and there.probability_to_beat_control is not None:
        assert abs(here.probability_to_beat_control + there.probability_to_beat_control - 1) < 1e-7


@given(some_counts(), some_counts(), st.integers(2, 9))
def test_more_comparisons_never_make_a_variant_look_better(control: Counts, treatment: Counts, many: int) -> None:
    one, all_of_them = compare(control, treatment, comparisons=1), compare(control, treatment, comparisons=many)
    if one.sequential_p_value is not None and all_of_them.sequential_p_value is not None:
        assert all_of_them.sequential_p_value >= one.sequential_p_value
    assert (one.p_value, one.lift_interval) == (all_of_them.p_value, all_of_them.lift_interval)
