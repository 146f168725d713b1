"""All that is said of one variant beside the control (contract, section 5, Results)."""

from dataclasses import dataclass

from management_api.experiment_statistics.bayesian import probability_to_beat
from management_api.experiment_statistics.confidence import Interval
from management_api.experiment_statistics.counts import Counts
from management_api.experiment_statistics.lifts import lift, lift_interval
from management_api.experiment_statistics.sequential import sequential_p_value
from management_api.experiment_statistics.two_proportions import p_value


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figures of a variant against the control; None where there are no users to speak of."""

    lift: float | None = None
    lift_interval: Interval | None = None
    p_value: float | None = None
    sequential_p_value: float | None = None
    probability_to_beat_control: float | None = None


#: The control is not compared with itself.
NO_COMPARISON = Comparison()


def compare(control: Counts, treatment: Counts, *, comparisons: int) -> Comparison:
    """Compare a variant with the control; `comparisons` is how many variants are."""
    return Comparison(
        lift=lift(control, treatment),
        lift_interval=lift_interval(control, treatment),
        p_value=p_value(control, treatment),
        sequential_p_value=sequential_p_value(control, treatment, comparisons=comparisons),
        probability_to_beat_control=probability_to_beat(control, treatment),
    )
