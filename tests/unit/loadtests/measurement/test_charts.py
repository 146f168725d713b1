"""The charts of benchmarks: texts stay texts, and the same figures are the same file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from loadtests.measurement.charts import draw_growth, draw_ratios

_TIMES = {"publishing": [0.5, 5.0], "resolve": [0.1, 0.2]}
_CHARTS = {
    "ratios": (
        partial(draw_ratios, ratios={"resolve": 2.25, "event": 0.5}, baseline="bare"),
        "resolve event 2.25 0.50 bare",
    ),
    "growth": (partial(draw_growth, panels={"flows": ([5, 500], _TIMES)}), "flows 5 500 publishing resolve"),
}


@pytest.mark.parametrize(("draw", "texts"), _CHARTS.values(), ids=_CHARTS)
def test_chart_of_the_same_figures_is_the_same_file(draw: Callable[[Path], None], texts: str, tmp_path: Path) -> None:
    files = [tmp_path / "new" / name for name in ("first.svg", "second.svg")]
    for file in files:
        draw(file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [text for text in texts.split() if f">{text}<" not in files[0].read_text()] == []
