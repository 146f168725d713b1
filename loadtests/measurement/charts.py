"""Draws the charts of the benchmarks."""

import textwrap
from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

#: The style of all charts of docs/figures/.
_STYLE = Path(__file__).parents[2] / "docs" / "figures" / "style.mplstyle"
#: Characters of a label that fit below a bar.
_LABEL_WIDTH = 15


def draw_ratios(file: Path, ratios: Mapping[str, float], baseline: str) -> None:
    """Draw a bar for each request, and a line at 1 for the baseline. Raises OSError."""
    with mpl.rc_context(fname=_STYLE):
        figure = Figure(figsize=(8, 3.2))
        axes = figure.subplots()
        bars = axes.bar([textwrap.fill(name, _LABEL_WIDTH) for name in ratios], list(ratios.values()), width=0.5)
        axes.bar_label(bars, fmt="%.2f", padding=2)
        axes.axhline(1, color="#c0563b", linestyle="--", label=baseline, marker="")
        axes.margins(y=0.1)
        axes.set_ylabel("ratio of rates")
        axes.legend()
        _save(figure, file)


def _save(figure: Figure, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Neither date nor version: the same data produce the same file.
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
