"""docs/metrics.md: every metric that there is, made of the catalogue."""

from collections.abc import Iterator, Sequence
from typing import get_args

from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.declaration import Metric, Process

_HEAD = """# Metrics

This page is made of the code: `make metrics` writes it, a test holds it to `metrics/catalogue/`.

Every process shows its own at `GET /metrics`, on a port and an address of its own, which nobody but Prometheus should
reach:

| Process | Port | Setting |
|---|---|---|
| edge | 9401 | `ONBOARDING_EDGE_METRICS_PORT` |
| management | 9402 | `ONBOARDING_MANAGEMENT_METRICS_PORT` |
| publisher | 9403 | `ONBOARDING_PUBLISHER_METRICS_PORT` |
| consumer | 9404 | `ONBOARDING_CONSUMER_METRICS_PORT` |

`ONBOARDING_METRICS_HOST` (127.0.0.1) is the address, port 0 turns the page off. How to scrape, what to look at and what
to do about an alert is in [watch](operations/watch.md#metrics). Figures are read off once a second (what has to be
asked of PostgreSQL or Redis, every 5 seconds), and a scrape shows the last ones: it waits for nobody. Where a process
has workers, their counters and histograms are added up, those of workers that have ended too; what becomes of a gauge
is in the table. No label names a project, a device or a path.
"""
_KINDS = {"sum": "gauge", "max": "gauge, the greatest of the workers", "min": "gauge, the least of the workers"}


def metrics_page() -> str:
    """Give the whole page."""
    metrics = list(CATALOGUE.values())
    sections = [_section("Several processes", [metric for metric in metrics if len(metric.processes) > 1], named=True)]
    for process in get_args(Process):
        own = [metric for metric in metrics if metric.processes == (process,)]
        sections.append(_section(process.capitalize(), own, named=False))
    return _HEAD + "".join(sections)


def _section(title: str, metrics: Sequence[Metric], *, named: bool) -> str:
    columns = ("Metric", "Kind", "Labels", *(("Processes",) if named else ()), "Meaning")
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *(_row(one, named=named) for one in metrics)]
    return f"\n## {title}\n\n" + "\n".join(lines) + "\n"


def _row(metric: Metric, *, named: bool) -> str:
    return f"| {' | '.join(_cells(metric, named=named))} |"


def _cells(metric: Metric, *, named: bool) -> Iterator[str]:
    yield f"`{metric.name}`"
    yield _KINDS[metric.over_workers] if metric.kind == "gauge" else metric.kind
    yield ", ".join(f"`{label}`" for label in metric.labels)
    if named:
        yield ", ".join(metric.processes)
    bounds = f" Buckets end at {', '.join(f'{bound:g}' for bound in metric.bounds)} s." if metric.bounds else ""
    yield metric.meaning + bounds
