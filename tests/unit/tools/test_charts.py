"""The charts of experiments show the simulated tests."""

from pathlib import Path

from management_api.experiment_statistics.counts import Counts
from tools.charts.__main__ import Line, draw
from tools.charts.simulated_tests import Population, deciding_day, share_decided, simulate


def test_same_lines_are_the_same_chart_with_their_names(tmp_path: Path) -> None:
    lines = [Line("rising", "#111111", [0.0, 0.25, 0.5]), Line("flat", "#222222", [0.1] * 3, "--")]
    for name in ("first.svg", "second.svg"):
        draw(tmp_path / name, "Two lines", lines)
    chart = (tmp_path / "first.svg").read_text()
    assert (tmp_path / "second.svg").read_text() == chart
    assert [name for name in ("Two lines", "rising", "flat") if f">{name}<" not in chart] == []


def test_same_seed_yields_the_same_experiments_with_rising_counts() -> None:
    one, again = (list(simulate(Population(users_a_day=50), tests=3, seed=5)) for _ in range(2))
    assert one == again
    for evenings in one:
        for side in zip(*evenings, strict=True):
            assert [each.users for each in side] == sorted(each.users for each in side)
            assert [each.conversions for each in side] == sorted(each.conversions for each in side)
            assert all(each.conversions <= each.users for each in side)


def test_simulated_experiment_ends_at_the_first_significant_evening() -> None:
    evenings = [(Counts(users, 0), Counts(users, 0)) for users in (1, 2, 3)]

    def from_two_users_on(control: Counts, _treatment: Counts) -> float:
        return 0.01 if control.users > 1 else 1.0

    assert deciding_day(evenings, from_two_users_on) == 1
    assert deciding_day(evenings[:1], from_two_users_on) is None
    assert share_decided([evenings, evenings[:1] * 3], from_two_users_on) == [0.0, 0.5, 0.5]
