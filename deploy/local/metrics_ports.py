"""Where the processes of a stack show their metrics: at their usual ports, or beside another stack at free ones."""

import json
import os
from collections.abc import Mapping

from deploy.local.loopback_ports import LOOPBACK, free_port, is_free
from deploy.local.state_folder import StateFolder, replace_file
from edge_api.settings import EdgeSettings
from management_api.event_consumer.settings import ConsumerSettings
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings

#: By the defaults of the processes' settings.
USUAL_PORTS: Mapping[str, int] = {
    "edge": EdgeSettings.model_fields["edge_metrics_port"].default,
    "management": ManagementSettings.model_fields["management_metrics_port"].default,
    "publisher": PublisherSettings.model_fields["publisher_metrics_port"].default,
    "consumer": ConsumerSettings.model_fields["consumer_metrics_port"].default,
}


class MetricsPorts:
    """Chosen once, when the stack starts; a variable of the environment that names one is the last word."""

    def __init__(self, environment: Mapping[str, str] = os.environ, usual: Mapping[str, int] = USUAL_PORTS) -> None:
        self._ports = {
            process: environment.get(_variable(process)) or str(port if is_free(port) else free_port())
            for process, port in usual.items()
        }

    def variables(self, process: str) -> dict[str, str]:
        """Give what a process is to be told."""
        return {_variable(process): self._ports[process]}

    def urls(self) -> dict[str, str]:
        """Give the page of each process that has one."""
        return {process: f"http://{LOOPBACK}:{port}/metrics" for process, port in self._ports.items() if port != "0"}

    def write_targets(self, state: StateFolder) -> None:
        """Write them down in the form of Prometheus's `file_sd_configs`."""
        targets = [
            {"targets": [f"{LOOPBACK}:{port}"], "labels": {"job": f"onboarding-{process}"}}
            for process, port in self._ports.items()
            if port != "0"
        ]
        replace_file(state.metrics_targets_file, json.dumps(targets, indent=2).encode() + b"\n")


def _variable(process: str) -> str:
    return f"ONBOARDING_{process.upper()}_METRICS_PORT"
