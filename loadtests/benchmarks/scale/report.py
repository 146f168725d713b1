"""The tables of a run, as Markdown."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version

from loadtests.benchmarks.scale.growth import Step
from loadtests.benchmarks.scale.latency import SAMPLE
from loadtests.benchmarks.scale.memory_bound import MEMORY_MB, Bound
from loadtests.benchmarks.scale.reach import WORKERS, Reach, ReachOfPublishing
from loadtests.benchmarks.scale.synthetic_projects import SCREENS
from loadtests.measurement.tables import percentiles

_KIBIBYTE = 1024
_MEBIBYTE = 1024 * 1024
_HEAD = [
    (
        "| Projects | Flows each | published projects/s | processor ms to publish one | KiB of Redis each |"
        " resolve p50/p99 ms, in memory | not in memory: from Redis | Redis down: from disk |"
    ),
    "|---|---|---|---|---|---|---|---|",
]


def growth_table(steps: Sequence[Step]) -> str:
    """Return a line for each size."""
    return "\n".join([*_HEAD, *(growth_line(step) for step in steps)])


def growth_line(step: Step) -> str:
    """Return the line of one size."""
    cells = [
        f"{step.projects:,}",
        f"{step.flows}",
        f"{1 / step.publish_seconds:.0f}",
        f"{step.processor_seconds * 1000:.2f}",
        f"{step.redis_bytes / _KIBIBYTE:.1f}",
        percentiles(step.latencies.warm, 2),
        percentiles(step.latencies.from_redis, 2),
        percentiles(step.latencies.from_disk, 2),
    ]
    return f"| {' | '.join(cells)} |"


def rebuild_line(projects: int, seconds: float) -> str:
    """Return the time of publishing everything again."""
    rate = projects / seconds
    return f"`onboarding snapshots rebuild`, of {projects:,} projects: {seconds:.0f} s, {rate:.0f} projects/s."


def bound_lines(bound: Bound, projects: int) -> str:
    """Return the memory of a worker."""
    orders = "; ".join(
        f"{resolved.responses:,} resolves in {resolved.order} order, {resolved.rate:.0f} a second, the worker's peak"
        f" {resolved.peak_bytes / _MEBIBYTE:.0f} MiB"
        for resolved in bound.orders
    )
    return (
        f"One worker with `ONBOARDING_EDGE_SNAPSHOT_MEMORY_MB={MEMORY_MB}` resolved in all {projects:,} projects,"
        f" with {bound.bytes_before / _MEBIBYTE:.0f} MiB resident before: {orders}."
    )


def reach_table(reach: ReachOfPublishing) -> str:
    """Return the times until a change reached the workers."""
    loaded = f"at {reach.half_rate:.0f} resolves/s, half load"
    return "\n".join(
        [
            (
                f"| {WORKERS} edge workers | publishes | ms to the first worker, p50/p99 |"
                " ms to the last worker, p50/p99 | longest | aim of the last's p99 |"
            ),
            "|---|---|---|---|---|---|",
            _reach_line("calm", reach.calm, "250"),
            _reach_line(loaded, reach.loaded, ""),
        ]
    )


def conditions(options: str) -> str:
    """Return the conditions of the run."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("sqlalchemy", "psycopg", "redis", "msgspec"))
    return (
        f"A flow has {SCREENS} screens. Latencies are of {SAMPLE} random projects, one resolve"
        f" at a time. PostgreSQL, Redis (append-only file, fsynced at every write), publisher, edge and load generator"
        f" share {os.cpu_count()} processors ({platform.machine()}); Python {platform.python_version()}, {packages}."
        f" Made by `make bench-scale{f' OPTIONS={options!r}' if options else ''}`."
    )


def _reach_line(how: str, reach: Reach, aim: str) -> str:
    cells = [how, str(len(reach.last)), percentiles(reach.first, 0), percentiles(reach.last, 0)]
    return f"| {' | '.join([*cells, f'{max(reach.last) * 1000:.0f}', aim])} |"
