"""The whole catalogue: what the page shows, what the documents list, what dashboards and alerts may ask for."""

from collections.abc import Iterator, Mapping
from types import ModuleType

from common.telemetry.catalogue import consumer, edge, management, process, publisher
from common.telemetry.declaration import Metric


def _declared_in(module: ModuleType) -> Iterator[Metric]:
    return (value for value in vars(module).values() if isinstance(value, Metric))


#: Every metric by its name, in the order in which it is shown.
CATALOGUE: Mapping[str, Metric] = {
    metric.name: metric
    for module in (process, edge, management, publisher, consumer)
    for metric in _declared_in(module)
}
