"""The metrics page of a process, parsed for tests."""

from collections.abc import Iterator

import httpx
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from deploy.local.loopback_ports import LOOPBACK


class ShownMetrics:
    """The current metrics of a process."""

    def __init__(self, port: int) -> None:
        response = httpx.get(f"http://{LOOPBACK}:{port}/metrics", timeout=10)
        assert response.status_code == 200
        self.samples = list(_samples(response.text))

    def value(self, series: str, **labels: str) -> float:
        """Return the sum of all series with this name and these labels."""
        matching = (sample for sample in self.samples if sample.name == series)
        return sum(sample.value for sample in matching if labels.items() <= sample.labels.items())


def _samples(text: str) -> Iterator[Sample]:
    return (sample for family in text_string_to_metric_families(text) for sample in family.samples)
