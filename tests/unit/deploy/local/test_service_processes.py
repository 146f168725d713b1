"""Where the processes of a stack show their metrics."""

import json
import socket
from pathlib import Path

from deploy.local.loopback_ports import LOOPBACK, free_port
from deploy.local.service_processes import DEFAULT_METRICS_PORTS, MetricsPorts
from deploy.local.state_folder import StateFolder


def test_variable_takes_precedence_and_0_turns_a_page_off(tmp_path: Path) -> None:
    edge = free_port()
    named = {"ONBOARDING_EDGE_METRICS_PORT": str(edge), "ONBOARDING_PUBLISHER_METRICS_PORT": "0"}
    ports = MetricsPorts(named)
    assert ports.variables("edge") == {"ONBOARDING_EDGE_METRICS_PORT": str(edge)}
    assert ports.urls()["edge"] == f"http://{LOOPBACK}:{edge}/metrics"
    assert ports.urls().keys() == {"edge", "management", "consumer"}

    state = StateFolder(tmp_path)
    ports.write_targets(state)
    targets = json.loads(state.metrics_targets_file.read_text())
    assert targets[0] == {"targets": [f"{LOOPBACK}:{edge}"], "labels": {"job": "onboarding-edge"}}
    assert len(targets) == 3


def test_default_ports_are_used_where_free_else_other_ports() -> None:
    free = free_port()
    with socket.create_server((LOOPBACK, 0)) as another:
        taken = another.getsockname()[1]
        urls = MetricsPorts({}, {"edge": free, "consumer": taken}).urls()
    assert urls["edge"] == f"http://{LOOPBACK}:{free}/metrics"
    assert urls["consumer"] != f"http://{LOOPBACK}:{taken}/metrics"


def test_default_ports_equal_the_documents() -> None:
    assert DEFAULT_METRICS_PORTS == {"edge": 9401, "management": 9402, "publisher": 9403, "consumer": 9404}
