"""The charts of benchmarks: texts stay texts, and the same figures are the same file."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

_TIMES = {"publishing": [0.5, 5.0], "resolve": [0.1, 0.2]}
_CHARTS: dict[str, tuple[dict[str, Any], str]] = {
    "draw_ratios": (
        {"ratios": {"resolve": 2.25, "event": 0.5}, "baseline": "bare"},
        "resolve event 2.25 0.50 bare",
    ),
    "draw_growth": ({"panels": {"flows": ([5, 500], _TIMES)}}, "flows 5 500 publishing resolve"),
}


@pytest.mark.parametrize("chart", _CHARTS)
def test_chart_of_the_same_figures_is_the_same_file(chart: str, tmp_path: Path) -> None:
    # To import matplotlib takes a second, which is not for every worker to spend.
    draw = getattr(import_module("loadtests.measurement.charts"), chart)
    figures, texts = _CHARTS[chart]
    files = [tmp_path / "new" / name for name in ("first.svg", "second.svg")]
    for file in files:
        draw(file, **figures)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [text for text in texts.split() if f">{text}<" not in files[0].read_text()] == []
