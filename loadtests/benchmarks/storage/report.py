"""The tables of a run, as Markdown."""

import argparse
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from loadtests.benchmarks.storage.backlog import Drained
from loadtests.benchmarks.storage.compare_storing import RUN_BATCHES, WARM_UP, Storing
from loadtests.benchmarks.storage.queries import Measured
from loadtests.benchmarks.storage.synthetic_events import EVENTS_IN_BATCH

_PACKAGES = ("psycopg", "numpy", "pyroaring")


def storing_table(compared: Mapping[str, tuple[Storing, Storing]]) -> str:
    """Return a table with a line for each way to store and each state of the database."""
    lines = [
        "| Rows are stored by | ratio of rates (median of runs) | aim | rows/s | processor µs a row |",
        "|---|---|---|---|---|",
    ]
    for state, (consumer, bare) in compared.items():
        ratios = [own / base for own, base in zip(bare.seconds[WARM_UP:], consumer.seconds[WARM_UP:], strict=True)]
        ratio = f"**{consumer.rate / bare.rate:.2f}** ({statistics.median(ratios):.2f}) | 0.33"
        lines += [
            f"| {bare.name}{state} | 1 | | {bare.rate:.0f} | {bare.processor_us:.1f} |",
            f"| {consumer.name}{state} | {ratio} | {consumer.rate:.0f} | {consumer.processor_us:.1f} |",
        ]
    return "\n".join(lines)


def draining_table(drained: Mapping[str, Drained]) -> str:
    """Return a table with a line for each backlog."""
    lines = [
        "| One project is drained by | events | rows/s | processor µs a row | rows/s by the busiest processor |",
        "|---|---|---|---|---|",
    ]
    for name, result in drained.items():
        events = result.events
        processor, busiest = sum(result.processors) / events * 1e6, events / max(result.processors)
        lines.append(f"| {name} | {events:,} | {events / result.seconds:.0f} | {processor:.1f} | {busiest:.0f} |")
    return "\n".join(lines)


def reading_table(measured: Sequence[Measured]) -> str:
    """Return a table with the slowest query of each kind, which the first two words of its name are."""
    slowest: dict[tuple[str, ...], Measured] = {}
    for result in measured:
        kind = tuple(result.name.split()[:2])
        slowest[kind] = max(slowest.get(kind, result), result, key=lambda each: each.p99)
    lines = ["| Slowest query of each kind | median ms | p99 ms | processor ms |", "|---|---|---|---|"]
    lines += [
        f"| {result.name} | {result.median:.1f} | {result.p99:.1f} | {result.processor:.1f} |"
        for result in slowest.values()
    ]
    return "\n".join(lines)


def facts(stored: int, options: argparse.Namespace) -> str:
    """Return the conditions of the run."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    load = os.getloadavg()[1]
    return (
        f"{options.batches} batches both ways, in runs of {RUN_BATCHES} by turns, some {EVENTS_IN_BATCH:,} rows each,"
        " one connection, all on the disk at every commit; then the backlogs; then"
        f" {stored:,} events over 90 days, each query sent {options.times} times over the longest"
        f" period on one connection. {os.cpu_count()} processors ({platform.machine()}), load average {load:.1f};"
        f" Python {platform.python_version()}, {packages}."
        " Processor time is that of the service's side, without PostgreSQL's."
        f" Made by `make bench-analytics OPTIONS='--events {options.events} --times {options.times}'`."
    )
