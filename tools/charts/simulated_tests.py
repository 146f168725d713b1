"""Simulated experiments: random users and conversions, evaluated every evening."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from management_api.experiment_statistics.comparison import Counts

#: The shares of conversions on the first day of a user, the second and the third.
_DELAYS = (0.7, 0.2, 0.1)
ALPHA = 0.05

#: Returns the p-value of an evening (control, treatment).
Judgement = Callable[[Counts, Counts], float | None]
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


def day_of_verdict(evenings: Evenings, judge: Judgement) -> int | None:
    """Return the first evening (0..) with a p-value below ALPHA, on which a daily look ends the experiment."""
    for day, (control, treatment) in enumerate(evenings):
        found = judge(control, treatment)
        if found is not None and found < ALPHA:
            return day
    return None


def share_decided(tests: Sequence[Evenings], judge: Judgement) -> list[float]:
    """Return the share of experiments that have ended by each evening."""
    verdicts = [day_of_verdict(evenings, judge) for evenings in tests]
    days = len(tests[0])
    return [sum(day is not None and day <= evening for day in verdicts) / len(tests) for evening in range(days)]


def share_decided_at_the_end(tests: Sequence[Evenings], judge: Judgement) -> float:
    """Return the share of experiments that one look on the last evening decides."""
    return sum(day_of_verdict(evenings[-1:], judge) is not None for evenings in tests) / len(tests)
