"""Simulated experiments: random users and conversions, evaluated every evening."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from management_api.experiment_statistics.counts import Counts

#: The shares of conversions on the first day of a user, the second and the third.
_DELAYS = (0.7, 0.2, 0.1)
ALPHA = 0.05

#: Returns the p-value of the counts of an evening (control, treatment); None where it is undefined.
PValue = Callable[[Counts, Counts], float | None]
#: The counts of the control and of the treatment on each evening.
Evenings = Sequence[tuple[Counts, Counts]]


@dataclass(frozen=True, slots=True)
class Population:
    """The population of an experiment with two variants; `lift` is the true effect, 0 for an A/A test."""

    users_a_day: float = 400
    rate: float = 0.2
    lift: float = 0.0
    share_of_treatment: float = 0.5
    days: int = 14


def simulate(population: Population, *, tests: int, seed: int) -> Iterator[Evenings]:
    """Yield experiments; the same seed yields the same ones."""
    source = np.random.default_rng(seed)
    sides = (
        (1 - population.share_of_treatment, population.rate),
        (population.share_of_treatment, population.rate * (1 + population.lift)),
    )
    counted = []
    for share, rate in sides:
        users = source.poisson(population.users_a_day * share, (tests, population.days))
        converting = source.multinomial(source.binomial(users, rate), _DELAYS)
        conversions = np.zeros_like(users)
        for late in range(len(_DELAYS)):
            conversions[:, late:] += converting[:, : population.days - late, late]
        counted.append((users.cumsum(axis=1).tolist(), conversions.cumsum(axis=1).tolist()))
    for test in range(tests):
        control, treatment = (
            [Counts(*day) for day in zip(users[test], conversions[test], strict=True)] for users, conversions in counted
        )
        yield list(zip(control, treatment, strict=True))


def deciding_day(evenings: Evenings, p_value: PValue) -> int | None:
    """Return the first evening (0..) with a p-value below ALPHA, on which a daily evaluation ends the experiment."""
    for day, (control, treatment) in enumerate(evenings):
        value = p_value(control, treatment)
        if value is not None and value < ALPHA:
            return day
    return None


def share_decided(tests: Sequence[Evenings], p_value: PValue) -> list[float]:
    """Return the share of experiments that have ended by each evening."""
    deciding_days = [deciding_day(evenings, p_value) for evenings in tests]
    days = len(tests[0])
    return [sum(day is not None and day <= evening for day in deciding_days) / len(tests) for evening in range(days)]


def share_decided_at_the_end(tests: Sequence[Evenings], p_value: PValue) -> float:
    """Return the share of experiments that one evaluation on the last evening decides."""
    return sum(deciding_day(evenings[-1:], p_value) is not None for evenings in tests) / len(tests)
