"""Every figure equals that of an independent computation: statsmodels, scipy's tests, or a closed form."""

import math
from fractions import Fraction
from importlib import import_module
from types import ModuleType

import pytest

from management_api.experiment_statistics.comparison import (
    MIXING_DEVIATION,
    lift,
    lift_interval,
    p_value,
    probability_to_beat,
    rate_interval,
    sequential_p_value,
    users_to_find_lift,
)
from management_api.experiment_statistics.counts import Counts
from management_api.experiment_statistics.sample_ratio import check_sample_ratio

pytestmark = pytest.mark.slow

PAIRS = [
    (Counts(1000, 100), Counts(1000, 120)),
    (Counts(14, 6), Counts(9, 5)),
    (Counts(40, 2), Counts(12, 11)),
    (Counts(100_000, 20_000), Counts(30, 7)),
    (Counts(2_000_000, 400_000), Counts(2_000_000, 401_500)),
    (Counts(100_000, 3), Counts(100_000, 9)),
]
SINGLE = [*(each for pair in PAIRS for each in pair), Counts(1, 0), Counts(1, 1), Counts(50, 0), Counts(50, 50)]


@pytest.fixture
def statsmodels() -> ModuleType:
    """Return its tests of proportions. To import them takes a second, which is not for every worker to spend."""
    return import_module("statsmodels.stats.proportion")


@pytest.mark.parametrize("counts", SINGLE, ids=str)
def test_the_interval_of_a_rate_is_wilsons(statsmodels: ModuleType, counts: Counts) -> None:
    expected = statsmodels.proportion_confint(counts.conversions, counts.users, alpha=0.05, method="wilson")
    assert rate_interval(counts) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("control", "treatment"), PAIRS, ids=str)
def test_the_p_value_is_of_the_pooled_two_proportion_test(
    statsmodels: ModuleType, control: Counts, treatment: Counts
) -> None:
    _, expected = statsmodels.proportions_ztest(
        [treatment.conversions, control.conversions], [treatment.users, control.users]
    )
    assert p_value(control, treatment) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("control", "treatment"), PAIRS, ids=str)
def test_the_lift_and_its_interval_are_the_ratio_less_one_and_koopmans(
    statsmodels: ModuleType, control: Counts, treatment: Counts
) -> None:
    assert lift(control, treatment) == pytest.approx(
        (treatment.conversions * control.users) / (treatment.users * control.conversions) - 1
    )
    expected = statsmodels.confint_proportions_2indep(
        treatment.conversions, treatment.users, control.conversions, control.users,
        method="score", compare="ratio", correction=False,
    )  # fmt: skip
    found = lift_interval(control, treatment)
    assert found is not None
    assert (found.low + 1, found.high + 1) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("control", "treatment"),
    [*PAIRS[:3], (Counts(1, 0), Counts(1, 1)), (Counts(60, 60), Counts(7, 0)), (Counts(3, 0), Counts(900, 0))],
    ids=str,
)
def test_the_probability_to_beat_control_is_that_of_the_closed_form(control: Counts, treatment: Counts) -> None:
    assert probability_to_beat(control, treatment) == pytest.approx(_closed_form(control, treatment), abs=1e-11)


def _closed_form(control: Counts, treatment: Counts) -> float:
    """Sum it exactly, in fractions (E. Miller, "Formulas for Bayesian A/B Testing")."""
    a, b = 1 + control.conversions, 1 + control.users - control.conversions
    total, others = Fraction(0), 1 + treatment.users - treatment.conversions
    for number in range(1 + treatment.conversions):
        total += Fraction(_beta(a + number, b + others)) / ((others + number) * _beta(1 + number, others) * _beta(a, b))
    return float(total)


def _beta(a: int, b: int) -> Fraction:
    return Fraction(math.factorial(a - 1) * math.factorial(b - 1), math.factorial(a + b - 1))


def test_the_sequential_p_value_is_one_over_the_mixture_integrated_by_hand() -> None:
    control, treatment = Counts(1000, 100), Counts(1100, 190)
    rate = 290 / 2100
    deviation = math.sqrt(rate * (1 - rate) * (1 / 1000 + 1 / 1100))
    seen, spread = 190 / 1100 - 100 / 1000, MIXING_DEVIATION * math.sqrt(rate * (1 - rate))
    step = spread / 1000
    ratio = sum(
        _normal(seen, true, deviation) / _normal(seen, 0, deviation) * _normal(true, 0, spread) * step
        for true in (number * step for number in range(-10_000, 10_001))
    )
    assert sequential_p_value(control, treatment) == pytest.approx(1 / ratio, rel=1e-9)
    assert sequential_p_value(control, treatment, comparisons=3) == pytest.approx(3 / ratio, rel=1e-9)


def _normal(value: float, mean: float, deviation: float) -> float:
    return math.exp(-(((value - mean) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))


@pytest.mark.parametrize(
    ("users", "weights"), [([520, 480], [50, 50]), ([300, 100, 100], [50, 30, 20]), ([10, 95], [10, 90])]
)
def test_the_check_of_the_shares_is_the_chi_square_test(users: list[int], weights: list[int]) -> None:
    expected = import_module("scipy.stats").chisquare(users, [sum(users) * weight / 100 for weight in weights]).pvalue
    assert check_sample_ratio(users, weights).p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("rate", "lift", "users"), [(0.1, 0.2, 3841), (0.5, 0.1, 1565), (0.05, 1.0, 435)])
def test_users_to_find_a_lift_are_those_of_the_tables_of_fleiss(rate: float, lift: float, users: int) -> None:
    assert users_to_find_lift(rate, lift) == users


@pytest.mark.parametrize(("rate", "lift"), [(0.0, 0.1), (1.0, 0.1), (0.6, 0.8), (0.5, 0.0)])
def test_no_number_of_users_finds_an_impossible_lift(rate: float, lift: float) -> None:
    assert users_to_find_lift(rate, lift) is None
