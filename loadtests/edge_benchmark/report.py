"""The table of a run, as Markdown, and its place in the documentation."""

import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version

from loadtests.edge_benchmark.full_load import CONNECTIONS, Throughput, generator
from loadtests.edge_benchmark.measuring import BASE, Comparison, Plan
from loadtests.rounds import Side
from loadtests.tables import percentiles

#: Between the markers of this name the table stands in a document.
SECTION = "edge benchmark"
NAMES = {
    "bare": "bare uvicorn",
    "starlette": "bare Starlette",
    "asgi": "edge, ASGI door",
    "protocol": "edge, protocol door",
}
_PACKAGES = ("uvicorn", "uvloop", "httptools", "starlette", "msgspec")


def table(compared: Sequence[Comparison]) -> str:
    """Give one line for each server in each case."""
    head = [
        (
            "| Request | Server | ratio of rates (lowest to highest round) | aim | ratio of processor time |"
            " answers/s | processor µs an answer | p50/p99 ms at full load | p50/p99 ms at half load |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *(_line(each, name) for each in compared for name in each.sides)])


def line(compared: Comparison) -> str:
    """Give a case in one line, for whoever waits."""
    ratios = ", ".join(f"{name} {statistics.median(compared.ratios(name)):.2f}" for name in compared.sides)
    return f"{compared.case.name}: {ratios}"


def facts(plan: Plan, pinned: str) -> str:
    """Say what was run, and on what."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{plan.rounds} rounds of {plan.seconds} s for each server and request, by turns, one worker each;"
        f" {os.cpu_count()} processors ({platform.machine()}), {pinned};"
        f" Python {platform.python_version()}, {packages}."
        f" Load generator: {generator()}, {CONNECTIONS} keep-alive connections. Half load is half of what the bare"
        " uvicorn did at full load (of its own, where a server did less), from the management benchmark's generator."
        f" Made by `make bench OPTIONS='--rounds {plan.rounds} --seconds {plan.seconds}'`."
    )


def _line(compared: Comparison, name: str) -> str:
    side, ratios, aim = compared.sides[name], compared.ratios(name), compared.case.aims.get(name)
    own = name != BASE
    cells = [
        compared.case.name,
        NAMES[name],
        f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})" if own else "1",
        "" if aim is None else f"{aim:.1f}",
        f"{compared.cost_ratio(name):.2f}" if own else "1",
        f"{side.rate:.0f}",
        f"{side.processor_seconds * 1e6:.1f}",
        _full(side),
        percentiles(side.half, 2),
    ]
    return f"| {' | '.join(cells)} |"


def _full(side: Side[Throughput]) -> str:
    return "/".join(
        f"{statistics.median(times) * 1000:.2f}"
        for times in ([one.p50 for one in side.rounds], [one.p99 for one in side.rounds])
    )
