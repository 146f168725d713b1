"""The entry of a worker process that uvicorn starts: settings from the environment, logging, the application."""

from starlette.types import ASGIApp

from common.log_setup import configure_logging
from common.settings import EdgeSettings, read_settings
from edge_api.application import create_app
from edge_api.edge import Edge


def worker_app() -> ASGIApp:
    """Make the application of one worker; uvicorn calls this in each process."""
    settings = read_settings(EdgeSettings)
    configure_logging(settings, "edge")
    return create_app(Edge(settings))
