"""Draws the times over the sizes, both axes logarithmic, in SVG."""

import math
from collections.abc import Iterator, Sequence

from loadtests.benchmarks.scale.growth import Step

_NAMES = {
    "publish": "publishing a project",
    "from_disk": "resolve, from disk",
    "from_redis": "resolve, from Redis",
    "warm": "resolve, in memory",
}
_COLOURS = {"publish": "#9aa0a6", "from_disk": "#c5a880", "from_redis": "#7aa6d8", "warm": "#2f6fb2"}
_WIDTH, _HEIGHT, _GAP, _LEFT, _TOP, _BOTTOM = 300, 240, 70, 60, 60, 50
_MARGIN = 30


def draw(by_projects: Sequence[Step], by_flows: Sequence[Step]) -> str:
    """Return the figure: a panel for the number of projects and one for the number of flows."""
    times = [time for step in (*by_projects, *by_flows) for time in step.milliseconds().values()]
    decades = range(math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))) + 1)
    panels = (
        (by_projects, [f"{step.projects:,}" for step in by_projects], f"projects, {by_projects[0].flows} flows each"),
        (by_flows, [str(step.flows) for step in by_flows], f"flows in each of {by_flows[0].projects} projects"),
    )
    shapes = list(_legend())
    for number, (steps, ticks, title) in enumerate(panels):
        left = _LEFT + number * (_WIDTH + _GAP)
        shapes.extend(_panel(steps, ticks, title, left, decades))
    inner = "\n".join(shapes)
    width, height = _LEFT + 2 * _WIDTH + _GAP + 20, _TOP + _HEIGHT + _BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n{inner}\n</svg>\n'
    )


def _panel(steps: Sequence[Step], ticks: Sequence[str], title: str, left: int, decades: range) -> Iterator[str]:
    for power in decades:
        y = _y(10.0**power, decades)
        yield f'<line x1="{left}" x2="{left + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e0e0e0"/>'
        yield _text(left - 8, y + 4, f"{10.0**power:g} ms", "end")
    places = [left + _MARGIN + number * (_WIDTH - 2 * _MARGIN) / max(1, len(steps) - 1) for number in range(len(steps))]
    for x, tick in zip(places, ticks, strict=True):
        yield _text(x, _TOP + _HEIGHT + 18, tick, "middle")
    yield _text(left + _WIDTH / 2, _TOP + _HEIGHT + 38, title, "middle")
    for name, colour in _COLOURS.items():
        values = [step.milliseconds()[name] for step in steps]
        points = [(x, _y(value, decades)) for x, value in zip(places, values, strict=True)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for (x, y), value in zip(points, values, strict=True):
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
                f"<title>{_NAMES[name]}: {value:.2f} ms</title></circle>"
            )


def _y(milliseconds: float, decades: range) -> float:
    part = (math.log10(milliseconds) - decades[0]) / (decades[-1] - decades[0])
    return _TOP + _HEIGHT - part * _HEIGHT


def _legend() -> Iterator[str]:
    for position, (name, colour) in enumerate(_COLOURS.items()):
        x = _LEFT + position * 165
        yield f'<rect x="{x}" y="14" width="12" height="12" fill="{colour}"/>'
        yield _text(x + 18, 24, _NAMES[name], "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
