"""A chart of lines over the days of an experiment, in SVG, which needs no library."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _LEGEND = 620, 280, 60, 50, 60, 24


@dataclass(frozen=True, slots=True)
class Line:
    """A share (0..1) for each day; `is_dashed` for what is there to compare with."""

    name: str
    colour: str
    shares: Sequence[float]
    is_dashed: bool = False


def draw(title: str, lines: Sequence[Line], *, top: float, step: float) -> str:
    """Give the chart: shares from 0 to `top` upwards, with a mark at every step."""
    days = len(lines[0].shares)
    foot = _TOP + _HEIGHT + _BOTTOM
    shapes = [_text(_LEFT, 28, title, "start", size=14), *_marks(top, step), *_days(days)]
    for number, line in enumerate(lines):
        shapes.extend(_line(line, top))
        y = foot + number * _LEGEND
        shapes.append(_stroke(f"{_LEFT},{y} {_LEFT + 30},{y}", line))
        shapes.append(_text(_LEFT + 40, y + 4, line.name, "start"))
    inner = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 30}" '
        f'height="{foot + len(lines) * _LEGEND}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/>\n{inner}\n</svg>\n'
    )


def _line(line: Line, top: float) -> Iterator[str]:
    days = len(line.shares)
    points = [(_x(day, days), _y(share, top), share) for day, share in enumerate(line.shares)]
    yield _stroke(" ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points), line)
    for day, (x, y, share) in enumerate(points):
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{line.colour}">'
            f"<title>day {day + 1}: {share:.1%}</title></circle>"
        )


def _stroke(points: str, line: Line) -> str:
    dashes = ' stroke-dasharray="6 4"' if line.is_dashed else ""
    return f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="2"{dashes}/>'


def _marks(top: float, step: float) -> Iterator[str]:
    for number in range(round(top / step) + 1):
        y = _y(number * step, top)
        yield f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e0e0e0"/>'
        yield _text(_LEFT - 8, y + 4, f"{number * step:.0%}", "end")


def _days(days: int) -> Iterator[str]:
    for day in range(days):
        yield _text(_x(day, days), _TOP + _HEIGHT + 18, str(day + 1), "middle")
    yield _text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 38, "day of the experiment", "middle")


def _x(day: int, days: int) -> float:
    return _LEFT + 15 + day * (_WIDTH - 30) / max(1, days - 1)


def _y(share: float, top: float) -> float:
    return _TOP + _HEIGHT * (1 - share / top)


def _text(x: float, y: float, text: str, anchor: str, *, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{text}</text>'
