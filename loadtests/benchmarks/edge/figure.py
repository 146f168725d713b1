"""Draws the ratios of a run as bars, in SVG."""

import statistics
import textwrap
from collections.abc import Iterator, Sequence

from loadtests.benchmarks.edge.measuring import Comparison

_COLOURS = {"bare uvicorn": "#9aa0a6", "edge": "#2f6fb2"}
_BAR, _GAP, _HEIGHT, _LEFT, _TOP, _LINE = 34, 40, 220, 50, 50, 15
#: Characters of a label that fit below a group.
_LABEL_WIDTH = 15


def draw(compared: Sequence[Comparison]) -> str:
    """Return the figure: a group of bars for each request, the bare server at 1."""
    groups = [dict(zip(_COLOURS, (1.0, statistics.median(comparison.ratios)), strict=True)) for comparison in compared]
    top = max(2.0, *(ratio for group in groups for ratio in group.values())) * 1.1
    width = _LEFT + len(groups) * (len(_COLOURS) * _BAR + _GAP) + _GAP
    shapes = [*_legend(), *_scale(top, width)]
    for number, (comparison, group) in enumerate(zip(compared, groups, strict=True)):
        left = _LEFT + _GAP // 2 + number * (len(_COLOURS) * _BAR + _GAP)
        shapes.extend(_bars(group, left, top))
        middle = left + len(group) * _BAR // 2
        for line, words in enumerate(textwrap.wrap(comparison.name, _LABEL_WIDTH)):
            shapes.append(_text(middle, _TOP + _HEIGHT + 20 + line * _LINE, words, "middle"))
    inner = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_TOP + _HEIGHT + 40 + _LINE}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n{inner}\n</svg>\n'
    )


def _bars(group: dict[str, float], left: int, top: float) -> Iterator[str]:
    for position, (name, ratio) in enumerate(group.items()):
        x, height = left + position * _BAR, ratio / top * _HEIGHT
        y = _TOP + _HEIGHT - height
        yield (
            f'<rect x="{x}" y="{y:.1f}" width="{_BAR - 4}" height="{height:.1f}" fill="{_COLOURS[name]}">'
            f"<title>{name}</title></rect>"
        )
        yield _text(x + _BAR // 2 - 2, y - 4, f"{ratio:.2f}", "middle")


def _scale(top: float, width: int) -> Iterator[str]:
    for step in range(int(top * 2) + 1):
        y = _TOP + _HEIGHT - step / 2 / top * _HEIGHT
        yield f'<line x1="{_LEFT}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e0e0e0"/>'
        yield _text(_LEFT - 8, y + 4, f"{step / 2:.1f}", "end")


def _legend() -> Iterator[str]:
    for position, (name, colour) in enumerate(_COLOURS.items()):
        x = _LEFT + position * 145
        yield f'<rect x="{x}" y="14" width="12" height="12" fill="{colour}"/>'
        yield _text(x + 18, 24, name, "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
