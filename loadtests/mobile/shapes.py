"""How many phones there are at each moment of a run."""

from collections.abc import Callable, Mapping

#: How long each stretch of a run is, in parts of the whole.
_SPIKE_BEGINS, _SPIKE_ENDS = 0.4, 0.6
_SOAK_IS_FULL = 0.1
_EVERYDAY = 0.2

#: Gives the part of all phones that there are after a part of the time.
Shape = Callable[[float], float]


def ramp(passed: float) -> float:
    """Rise from nobody to all, to see where it begins to hurt."""
    return passed


def spike(passed: float) -> float:
    """Have a fifth, then suddenly all, as after a message to everybody, then a fifth again."""
    return 1.0 if _SPIKE_BEGINS <= passed < _SPIKE_ENDS else _EVERYDAY


def soak(passed: float) -> float:
    """Have all after a tenth of the time and keep them, best for hours, to see whether it stays as it is."""
    return min(1.0, passed / _SOAK_IS_FULL)


SHAPES: Mapping[str, Shape] = {"ramp": ramp, "spike": spike, "soak": soak}


def phones_at(shape: Shape, seconds: float, of_seconds: float, phones: int) -> int | None:
    """Give how many phones there are after so many seconds; None when the time is over."""
    if seconds >= of_seconds:
        return None
    return max(1, round(shape(seconds / of_seconds) * phones))
