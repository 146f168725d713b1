"""The length and load of fault tests and sweeps: short in `make test`, long in `make soak`, which sets `SOAK=1`."""

import os
from collections.abc import Mapping

_IS_SOAK = bool(os.environ.get("SOAK"))


def soak_setting(name: str, short: int, long: int) -> int:
    """Return a duration or a count: `SOAK_<name>` of the environment, else the value for the kind of run."""
    return int(os.environ.get(f"SOAK_{name}", long if _IS_SOAK else short))


def report(subject: str, results: Mapping[str, object]) -> None:
    """Print the results, which pytest shows with -s."""
    print(f"\n{subject}: " + ", ".join(f"{name} {value}" for name, value in results.items()))  # noqa: T201 - results are for reading
