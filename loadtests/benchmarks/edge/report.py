"""The tables of a run, as Markdown."""

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from importlib.metadata import version

from loadtests.benchmarks.edge.cases import CLIENTS
from loadtests.benchmarks.edge.measuring import HALF_LOAD_CONNECTIONS, Comparison, Plan
from loadtests.measurement.load_generator import CONNECTIONS, Throughput, generator, median

#: The name of the markers in the document.
SECTION = "edge benchmark"
_PACKAGES = ("uvicorn", "uvloop", "httptools", "msgspec")
_HEADER = (
    "| {title} | ratio of rates (lowest to highest round) | aim | ratio of processor time | responses/s: edge, bare |"
    " processor µs a response: edge, bare | p50/p99 ms at full load: edge, bare | p50/p99 ms at half load: edge, bare |"
)


def report(many: Sequence[Comparison], same: Sequence[Comparison], plan: Plan, pinned: str) -> str:
    """Return the table of the headline, the table of repeated headers, and the conditions of the run."""
    parts = [table("Headers of many clients", many)]
    if same:
        parts.append(table("The same headers in every request", same))
    return "\n\n".join([*parts, _conditions(plan, pinned)])


def table(title: str, compared: Iterable[Comparison]) -> str:
    """Return a line for each comparison."""
    return "\n".join([_HEADER.format(title=title), "|---|---|---|---|---|---|---|---|", *map(line, compared)])


def line(compared: Comparison) -> str:
    """Return a comparison as a row of the table."""
    ratios, sides = compared.ratios, (compared.edge, compared.bare)
    cells = [
        compared.name,
        f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
        "" if compared.aim is None else f"{compared.aim:.2f}",
        f"{compared.cost_ratio:.2f}",
        ", ".join(f"{side.full.rate:.0f}" for side in sides),
        ", ".join(f"{side.full.processor_seconds * 1e6:.1f}" for side in sides),
        ", ".join(_times(side.full.rounds) for side in sides),
        ", ".join(_times(side.half) for side in sides),
    ]
    return f"| {' | '.join(cells)} |"


def _times(rounds: Sequence[Throughput]) -> str:
    times = median(rounds)
    return f"{times.p50 * 1000:.2f}/{times.p99 * 1000:.2f}"


def _conditions(plan: Plan, pinned: str) -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{plan.rounds} rounds of {plan.seconds} s for each server and request, by turns, one worker each;"
        f" {os.cpu_count()} processors ({platform.machine()}), {pinned}; Python {platform.python_version()},"
        f" {packages}. Load generator: {generator()}, {CONNECTIONS} keep-alive connections, {CLIENTS:,} clients."
        f" Half load is half of the rate of the slower server, the same for both, on {HALF_LOAD_CONNECTIONS}"
        " connections. Times are medians of the rounds."
        f" Made by `make bench-edge OPTIONS='--rounds {plan.rounds} --seconds {plan.seconds}'`."
    )
