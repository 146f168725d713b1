"""What a worker process serves: settings from the environment, logging, the application."""

import multiprocessing
import os
import signal
import threading

from starlette.types import ASGIApp

from common.logging import configure_logging
from common.settings.sources import read_settings
from edge_api.figures.folder_of_workers import desk_of_worker
from edge_api.settings import EdgeSettings
from edge_api.traces.worker_application import worker_application


def worker_app() -> ASGIApp:
    """Make the application of one worker; uvicorn calls this in each process."""
    settings = read_settings(EdgeSettings)
    configure_logging(settings, "edge")
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()
    return worker_application(settings, desk_of_worker())


def _end_with_parent() -> None:
    """Stop in order when the parent is gone: a worker that nobody replaces or stops would keep the port for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
