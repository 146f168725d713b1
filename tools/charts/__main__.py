"""Draws the figures of docs/experiments.md: what a daily look does, and how long it takes to find a lift."""

import argparse
from pathlib import Path

from management_api.experiment_statistics.comparison import p_value, sequential_p_value
from tools.charts.line_chart import Line, draw
from tools.charts.simulated_tests import (
    ALPHA,
    Population,
    share_decided,
    share_decided_at_the_end,
    simulate,
)

_TESTS, _SEED = 2000, 20_261_121
_SEQUENTIAL, _FIXED, _ALLOWED = "#2f6fb2", "#c0563b", "#9aa0a6"
_LIFTS = {0.05: "#b5d0ea", 0.1: "#7aa6d8", 0.2: "#2f6fb2"}
_USERS = 2000


def main() -> None:
    """Write both into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    (folder / "experiment-peeking.svg").write_text(_peeking())
    (folder / "experiment-power.svg").write_text(_power())


def _peeking() -> str:
    population = Population()
    tests = list(simulate(population, tests=_TESTS, seed=_SEED))
    allowed = [ALPHA] * population.days
    return draw(
        f"False winners among {_TESTS:,} A/A tests, stopped at the first p below 5 %",
        [
            Line("p_value, looked at every day", _FIXED, share_decided(tests, p_value)),
            Line("sequential_p_value, looked at every day", _SEQUENTIAL, share_decided(tests, sequential_p_value)),
            Line("what 5 % promises", _ALLOWED, allowed, is_dashed=True),
        ],
        top=0.3,
        step=0.05,
    )


def _power() -> str:
    lines = []
    for lift, colour in _LIFTS.items():
        population = Population(users_a_day=_USERS, lift=lift)
        tests = list(simulate(population, tests=_TESTS, seed=_SEED))
        once = share_decided_at_the_end(tests, p_value)
        name = f"lift {lift:.0%}: sequential, looked at every day"
        lines.append(Line(name, colour, share_decided(tests, sequential_p_value)))
        name = f"lift {lift:.0%}: p_value, one look on the last day finds {once:.0%}"
        lines.append(Line(name, colour, [once] * population.days, is_dashed=True))
    return draw(f"Experiments decided by each day: {_USERS:,} users a day, 20 % convert", lines, top=1.0, step=0.2)


if __name__ == "__main__":
    main()
