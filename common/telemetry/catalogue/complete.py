"""The catalogue of all metrics, for the metrics page, the documentation, the dashboard and the alerts."""

from collections.abc import Mapping

from common.telemetry.catalogue import consumer, edge, management, process, publisher
from common.telemetry.metrics import Metric

#: Every metric by its name, in the order of the documentation.
CATALOGUE: Mapping[str, Metric] = {
    metric.name: metric
    for module in (process, edge, management, publisher, consumer)
    for metric in vars(module).values()
    if isinstance(metric, Metric)
}
