"""Draws the charts of docs/experiments.md: false winners by daily looks, and the time to find a lift."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from management_api.experiment_statistics.comparison import p_value, sequential_p_value
from tools.charts.simulated_tests import ALPHA, Population, share_decided, share_decided_at_the_end, simulate

#: The style of all charts of docs/figures/.
_STYLE = Path(__file__).parents[2] / "docs" / "figures" / "style.mplstyle"
_TESTS, _SEED = 2000, 20_261_121
_USERS = 2000
_LIFTS = {0.05: "#b5d0ea", 0.1: "#7aa6d8", 0.2: "#2f6fb2"}


class Line(NamedTuple):
    """A share (0..1) for each day; `style` is matplotlib's: dashed lines are references."""

    name: str
    colour: str
    shares: Sequence[float]
    style: str = "-"


def main() -> None:
    """Write both charts into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    title = f"False winners among {_TESTS:,} A/A tests, stopped at the first p below 5 %"
    draw(folder / "experiment-peeking.svg", title, list(_peeking()))
    title = f"Experiments decided by each day: {_USERS:,} users a day, 20 % convert"
    draw(folder / "experiment-power.svg", title, list(_power()))


def draw(file: Path, title: str, lines: Sequence[Line]) -> None:
    """Draw the lines over the days of an experiment, with the legend below. Raises OSError."""
    with mpl.rc_context(fname=_STYLE):
        figure = Figure(figsize=(7, 4.2))
        axes = figure.subplots()
        days = range(1, len(lines[0].shares) + 1)
        for line in lines:
            axes.plot(days, line.shares, line.style, color=line.colour, label=line.name)
        axes.set_title(title)
        axes.set_xlabel("day of the experiment")
        axes.set_xticks(days)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
        figure.legend(loc="outside lower center")
        # Neither date nor version: the same data produce the same file.
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})


def _peeking() -> Iterator[Line]:
    population = Population()
    tests = list(simulate(population, tests=_TESTS, seed=_SEED))
    yield Line("p_value, looked at every day", "#c0563b", share_decided(tests, p_value))
    yield Line("sequential_p_value, looked at every day", "#2f6fb2", share_decided(tests, sequential_p_value))
    yield Line("the promised 5 %", "#9aa0a6", [ALPHA] * population.days, "--")


def _power() -> Iterator[Line]:
    for lift, colour in _LIFTS.items():
        population = Population(users_a_day=_USERS, lift=lift)
        tests = list(simulate(population, tests=_TESTS, seed=_SEED))
        once = share_decided_at_the_end(tests, p_value)
        name = f"lift {lift:.0%}: sequential, looked at every day"
        yield Line(name, colour, share_decided(tests, sequential_p_value))
        name = f"lift {lift:.0%}: p_value, one look on the last day finds {once:.0%}"
        yield Line(name, colour, [once] * population.days, "--")


if __name__ == "__main__":
    main()
