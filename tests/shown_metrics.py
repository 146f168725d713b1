"""The page of a process as tests read it."""

from collections.abc import Iterator

import httpx
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from deploy.local.loopback_ports import LOOPBACK


class ShownMetrics:
    """What a process shows at one moment."""

    def __init__(self, port: int) -> None:
        answer = httpx.get(f"http://{LOOPBACK}:{port}/metrics", timeout=10)
        assert answer.status_code == 200
        self.samples = list(_samples(answer.text))

    def value(self, series: str, **labels: str) -> float:
        """Give all of a series together whose labels are these."""
        return sum(one.value for one in self.samples if one.name == series and labels.items() <= one.labels.items())


def _samples(text: str) -> Iterator[Sample]:
    return (sample for family in text_string_to_metric_families(text) for sample in family.samples)
