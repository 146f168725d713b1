"""How long and how hard the tests of failures go: short among all tests, long by `make soak`."""

import os
from collections.abc import Mapping


def soaked(name: str, short: int) -> int:
    """Give a duration or a count: what the environment says, else the short one."""
    return int(os.environ.get(f"SOAK_{name}", short))


def report(what: str, figures: Mapping[str, object]) -> None:
    """Print what was measured, where somebody asked to see it (pytest -s)."""
    print(f"\n{what}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))  # noqa: T201 - figures are for reading
