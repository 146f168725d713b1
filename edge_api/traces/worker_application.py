"""The application of one worker, with traces where they are wanted."""

import os

from starlette.types import ASGIApp

from common.telemetry.metrics_source import MetricsWriter
from common.telemetry.tracing_config import create_spans
from edge_api.application import create_app
from edge_api.edge import Edge
from edge_api.settings import EdgeSettings
from edge_api.traces.traced_door import TracedDoor
from edge_api.traces.traced_endpoint import TracedEndpoint


def worker_application(settings: EdgeSettings, desk: MetricsWriter | None) -> ASGIApp:
    """Make it; without traces it is the application itself. Raises SettingsError."""
    edge = Edge(settings)
    spans = create_spans("edge", os.environ)
    if spans is None:
        return create_app(edge, desk)
    edge.endpoints = {path: TracedEndpoint(endpoint, spans) for path, endpoint in edge.endpoints.items()}
    return TracedDoor(create_app(edge, desk), spans, edge.endpoints)
