"""The table of a run, as Markdown."""

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from loadtests.benchmarks.events.measuring import BASE, PRODUCT, Measured, Plan
from loadtests.measurement.load_generator import Throughput, generator, median

_NAMES = {
    "at-once": "acknowledged at once, not stored",
    "durable": "stored by the edge: group commit, fsynced by Redis before the response",
    "each": "stored by one XADD of redis-py a request, fsynced",
}
_AIM = {PRODUCT: "0.8"}
_PACKAGES = ("uvicorn", "uvloop", "redis", "hiredis")


def table(measured: Measured) -> str:
    """Return a line for each way to store, and one for Redis alone."""
    head = [
        (
            "| Events are | ratio of rates (lowest to highest round) | aim | ratio of processor time | events/s |"
            " processor µs an event | p50/p99 ms at full load | p50/p99 ms at half load |"
            " half load with the file of Redis in memory |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    raw = f"| appended to Redis directly, 1000 at a time | | | | {measured.redis_rate:.0f} | | | | |"
    return "\n".join([*head, *(_line(measured, name) for name in measured.edges), raw])


def conditions(plan: Plan, pinned: str, measured: Measured) -> str:
    """Return the conditions of the run."""
    syncs = [seconds * 1000 for seconds in sorted(measured.syncs)]
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{plan.rounds} rounds of {plan.seconds} s for each, by turns, one worker each, single events;"
        f" {os.cpu_count()} processors ({platform.machine()}), {pinned};"
        f" Python {platform.python_version()}, {packages}; Valkey with `appendfsync always`."
        f" Load generator: {generator()}, {plan.connections} keep-alive connections. Half load is half of what the edge"
        " did at full load, the same for all that reach it: each client makes random pauses between its requests."
        f" The disk alone, between those rounds: {syncs[len(syncs) // 2]:.2f} ms for a write and fdatasync,"
        f" {syncs[len(syncs) * 99 // 100]:.2f} at the 99th percentile, {syncs[-1]:.1f} at most."
        f" Made by `make bench-events OPTIONS='--rounds {plan.rounds} --seconds {plan.seconds}'`."
    )


def _line(measured: Measured, name: str) -> str:
    side, base = measured.edges[name], measured.edges[BASE]
    ratios = side.ratios_to(base)
    own = name != BASE
    cells = [
        _NAMES[name],
        f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})" if own else "1",
        _AIM.get(name, ""),
        f"{base.processor_seconds / side.processor_seconds:.2f}" if own else "1",
        f"{side.rate:.0f}",
        f"{side.processor_seconds * 1e6:.1f}",
        _times(side.rounds),
        _half_load(measured.half, name),
        _half_load(measured.half_in_memory, name),
    ]
    return f"| {' | '.join(cells)} |"


def _half_load(half: Mapping[str, Sequence[Throughput]], name: str) -> str:
    """Return the times, and the ratio of the 99th percentile, the median of the rounds."""
    if name not in half:
        return ""
    if name == BASE:
        return _times(half[name])
    ratio = statistics.median(own.p99 / base.p99 for own, base in zip(half[name], half[BASE], strict=True))
    return f"{_times(half[name])} ({ratio:.1f} x)"


def _times(rounds: Sequence[Throughput]) -> str:
    times = median(rounds)
    return f"{times.p50 * 1000:.2f}/{times.p99 * 1000:.2f}"
