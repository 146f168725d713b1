"""The table of a run, as Markdown, and its place in the documentation."""

import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version

from loadtests.benchmarks.management.measuring import Comparison, Plan
from loadtests.measurement.http_load import Measured
from loadtests.measurement.rounds import Side
from loadtests.measurement.tables import percentiles

#: The name of the markers of the table in the document.
SECTION = "management benchmark"
_PACKAGES = ("falcon", "gunicorn", "sqlalchemy", "psycopg", "orjson")


def table(compared: Sequence[Comparison]) -> str:
    """Return a table with one line for each case."""
    lines = [
        (
            "| Request | ratio (lowest to highest round) | aim | requests/s: management, bare |"
            " processor ms a request: management, bare |"
            " p50/p99 ms at full load: management, bare | p50/p99 ms at half load: management, bare |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    lines.extend(_line(comparison) for comparison in compared)
    return "\n".join(lines)


def facts(plan: Plan, pinned: str, server_version: str) -> str:
    """Return the plan, the machine and the versions of the run."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{plan.rounds} rounds of {plan.seconds:g} s for each service and request, by turns; one gunicorn worker with"
        f" {plan.threads} threads each; {os.cpu_count()} processors ({platform.machine()}), {pinned}; "
        f"Python {platform.python_version()}, PostgreSQL {server_version}, {packages}."
        f" Load generator: the benchmark's own, on raw sockets, {plan.threads * 2} keep-alive connections."
    )


def command(plan: Plan) -> str:
    """Return the command that repeats this run."""
    options = f"--rounds {plan.rounds} --seconds {plan.seconds:g} --threads {plan.threads}"
    return f"make bench-management OPTIONS='{options}'"


def _line(compared: Comparison) -> str:
    ratios = compared.ratios
    management, bare = compared.management, compared.bare
    cells = [
        compared.case.name,
        f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
        f"{compared.case.aim:.2f}",
        f"{management.rate:.0f}, {bare.rate:.0f}",
        f"{management.processor_seconds * 1000:.2f}, {bare.processor_seconds * 1000:.2f}",
        f"{_full(management)}, {_full(bare)}",
        f"{percentiles(management.half, 1)}, {percentiles(bare.half, 1)}",
    ]
    return f"| {' | '.join(cells)} |"


def _full(side: Side[Measured]) -> str:
    return percentiles([time for measured in side.rounds for time in measured.times], 1)
