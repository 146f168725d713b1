"""Generates docs/reference/metrics.md from the catalogue of metrics."""

from collections.abc import Iterator, Sequence
from typing import get_args

from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.catalogue.former_names import FORMER_NAMES, FORMER_VALUES
from common.telemetry.metrics import Metric, Process

_HEAD = """# Metrics

`make generate` generates this page from `common/telemetry/catalogue/`; a test compares the two.

Every process serves its metrics at `GET /metrics`, on a port of its own that only Prometheus should reach:

| Process | Port | Setting |
|---|---|---|
| edge | 9401 | `ONBOARDING_EDGE_METRICS_PORT` |
| management | 9402 | `ONBOARDING_MANAGEMENT_METRICS_PORT` |
| publisher | 9403 | `ONBOARDING_PUBLISHER_METRICS_PORT` |
| consumer | 9404 | `ONBOARDING_CONSUMER_METRICS_PORT` |

`ONBOARDING_METRICS_HOST` (127.0.0.1) is the address. Port 0 turns the page off. [Watch](../operations/watch.md#metrics)
describes scraping, the dashboard and the alerts.

- Workers write their metrics once a second. Values of PostgreSQL and Redis are polled every 5 seconds. A scrape waits
  for none of them.
- Counters and histograms of all workers are added up, including those of workers that have exited. The table names the
  rule for each gauge: the sum, unless the table has another one.
- No label names a project, a device or a path.
"""
_KINDS = {"sum": "gauge", "max": "gauge, maximum of the workers", "min": "gauge, minimum of the workers"}


def metrics_page() -> str:
    """Return the page."""
    metrics = list(CATALOGUE.values())
    sections = [_section("Several processes", [metric for metric in metrics if len(metric.processes) > 1], shared=True)]
    for process in get_args(Process):
        own = [metric for metric in metrics if metric.processes == (process,)]
        sections.append(_section(process.capitalize(), own, shared=False))
    return _HEAD + "".join(sections) + _former_names()


def _former_names() -> str:
    values = [f"| value `{old}` of `{name}` | `{new}` |\n" for (name, new), old in FORMER_VALUES.items()]
    names = [f"| `{old}` | `{new}` |\n" for new, old in FORMER_NAMES.items()]
    return "\n## Former names\n\nRelease 0.3 exports both names, and release 0.4 the present one alone.\n\n" + "".join(
        ["| Former | Present |\n|---|---|\n", *names, *values]
    )


def _section(title: str, metrics: Sequence[Metric], *, shared: bool) -> str:
    columns = ("Metric", "Kind", "Labels", *(("Processes",) if shared else ()), "Description")
    lines = [
        f"| {' | '.join(columns)} |",
        f"|{'---|' * len(columns)}",
        *(_row(metric, shared=shared) for metric in metrics),
    ]
    return f"\n## {title}\n\n" + "\n".join(lines) + "\n"


def _row(metric: Metric, *, shared: bool) -> str:
    return f"| {' | '.join(_cells(metric, shared=shared))} |"


def _cells(metric: Metric, *, shared: bool) -> Iterator[str]:
    yield f"`{metric.name}`"
    yield _KINDS[metric.multiprocess_mode] if metric.kind == "gauge" else metric.kind
    yield ", ".join(f"`{label}`" for label in metric.labels)
    if shared:
        yield ", ".join(metric.processes)
    bounds = f" Bucket bounds: {', '.join(f'{bound:g}' for bound in metric.bounds)} s." if metric.bounds else ""
    yield metric.help + bounds
