"""What a panel of the dashboard is, and the queries that many of them have."""

from dataclasses import dataclass

#: Names of Grafana's units.
SECONDS, BYTES, A_SECOND, SHARE, COUNT = "s", "bytes", "cps", "percentunit", "short"


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over time; each query with how its curves are called."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PanelRow:
    """Panels that answer one question."""

    title: str
    panels: tuple[Panel, ...]


def quantiles(bucket: str, by: str = "") -> tuple[tuple[str, str], ...]:
    """Give the median and the 99th of a histogram, of each value of a label or of all together."""
    legend = f" {{{{{by}}}}}" if by else ""
    return ((_quantile(0.5, bucket, by), f"median{legend}"), (_quantile(0.99, bucket, by), f"99th{legend}"))


def ninety_ninth(bucket: str) -> str:
    """Give the 99th of a histogram, of all together."""
    return _quantile(0.99, bucket, "")


def _quantile(share: float, bucket: str, by: str) -> str:
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({share}, sum by ({labels}) (rate({bucket}[$__rate_interval])))"


def rate(series: str, by: str, legend: str) -> tuple[tuple[str, str], ...]:
    """Give how often something happens a second, by labels."""
    return ((f"sum by ({by}) (rate({series}[$__rate_interval]))", legend),)


def errors_share(requests: str) -> str:
    """Give the share of requests that are answered 5xx, probes aside."""
    of_all = f'sum(rate({requests}{{route!~"/health/.*"}}[$__rate_interval]))'
    return of_all.replace("{", '{status=~"5..", ', 1) + f" / {of_all}"
