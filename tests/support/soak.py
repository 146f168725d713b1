"""The length and load of fault tests: short in `make test`, long in `make soak`."""

import os
from collections.abc import Mapping


def soak_setting(name: str, short: int) -> int:
    """Return a duration or a count from the environment, else the short one."""
    return int(os.environ.get(f"SOAK_{name}", short))


def report(subject: str, results: Mapping[str, object]) -> None:
    """Print the results, which pytest shows with -s."""
    print(f"\n{subject}: " + ", ".join(f"{name} {value}" for name, value in results.items()))  # noqa: T201 - results are for reading
