"""Panels of the dashboard, and their common queries."""

from dataclasses import dataclass
from typing import Literal

#: Units of Grafana.
SECONDS, BYTES, A_SECOND, SHARE, COUNT = "s", "bytes", "cps", "percentunit", "short"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The values from which a panel is yellow and red; `red` below `yellow` reverses the order."""

    yellow: float
    red: float

    @property
    def steps(self) -> list[tuple[str, float | None]]:
        """The colours from the lowest value on, each with the value at which it starts."""
        if self.red < self.yellow:
            return [("red", None), ("yellow", self.red), ("green", self.yellow)]
        return [("green", None), ("yellow", self.yellow), ("red", self.red)]


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart over time, or the last value of each query; `queries` are pairs of a query and a legend."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    thresholds: Thresholds | None = None
    type: Literal["timeseries", "stat"] = "timeseries"


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A titled row of panels."""

    title: str
    panels: tuple[Panel, ...]


def quantiles(bucket: str, by: str = "") -> tuple[tuple[str, str], ...]:
    """Return queries for the median and the 99th percentile of a histogram, by a label or in total."""
    legend = f" {{{{{by}}}}}" if by else ""
    return ((_quantile(0.5, bucket, by), f"median{legend}"), (_quantile(0.99, bucket, by), f"99th{legend}"))


def percentile_99(bucket: str) -> str:
    """Return a query for the 99th percentile of a histogram."""
    return _quantile(0.99, bucket, "")


def _quantile(quantile: float, bucket: str, by: str) -> str:
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({quantile}, sum by ({labels}) (rate({bucket}[$__rate_interval])))"


def rate(series: str, by: str, legend: str) -> tuple[tuple[str, str], ...]:
    """Return a query for the rate of a counter, by labels."""
    return ((f"sum by ({by}) (rate({series}[$__rate_interval]))", legend),)


def errors_share(requests: str) -> str:
    """Return a query for the share of 5xx among the responses, without probes."""
    total = f'sum(rate({requests}{{route!~"/health/.*"}}[$__rate_interval]))'
    return total.replace("{", '{status=~"5..", ', 1) + f" / {total}"
