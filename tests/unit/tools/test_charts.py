"""The charts of experiments show the simulated tests."""

from management_api.experiment_statistics.counts import Counts
from tools.charts.simulated_tests import deciding_day, share_decided


def test_simulated_experiment_ends_at_the_first_significant_evening() -> None:
    evenings = [(Counts(users, 0), Counts(users, 0)) for users in (1, 2, 3)]

    def from_two_users_on(control: Counts, _treatment: Counts) -> float:
        return 0.01 if control.users > 1 else 1.0

    assert deciding_day(evenings, from_two_users_on) == 1
    assert deciding_day(evenings[:1], from_two_users_on) is None
    assert share_decided([evenings, evenings[:1] * 3], from_two_users_on) == [0.0, 0.5, 0.5]
