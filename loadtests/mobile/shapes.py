"""The number of phones at each moment of a run."""

from collections.abc import Callable, Mapping

#: Moments of a run, in parts of its length.
_SPIKE_BEGINS, _SPIKE_ENDS = 0.4, 0.6
_SOAK_IS_FULL = 0.1
_EVERYDAY = 0.2

#: Returns the part of all phones after a part of the time.
Shape = Callable[[float], float]


def ramp(passed: float) -> float:
    """Rise from none to all, to find the load at which responses become slow."""
    return passed


def spike(passed: float) -> float:
    """Return a fifth, then all at once, as after a message to all users, then a fifth again."""
    return 1.0 if _SPIKE_BEGINS <= passed < _SPIKE_ENDS else _EVERYDAY


def soak(passed: float) -> float:
    """Return all after a tenth of the time, best for hours, to find slow changes."""
    return min(1.0, passed / _SOAK_IS_FULL)


SHAPES: Mapping[str, Shape] = {"ramp": ramp, "spike": spike, "soak": soak}


def phones_at(shape: Shape, seconds: float, of_seconds: float, phones: int) -> int | None:
    """Return the number of phones after these seconds; None after the end."""
    if seconds >= of_seconds:
        return None
    return max(1, round(shape(seconds / of_seconds) * phones))
