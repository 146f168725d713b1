"""Pins the methods of gunicorn that the management worker overrides."""

import gunicorn
from gunicorn.workers.gthread import ThreadWorker

from management_api.worker import ManagementWorker


def test_gunicorn_has_the_version_whose_methods_are_overridden() -> None:
    # Another version: compare the methods with gunicorn's, run the integration tests of the server, change this.
    assert gunicorn.version_info[:2] == (27, 0)


def test_worker_overrides_seven_methods_of_gunicorn() -> None:
    inherited = {name for name, value in vars(ThreadWorker).items() if callable(value)} | {"handle_error"}
    overridden = inherited & vars(ManagementWorker).keys()
    assert overridden == {
        "__init__", "accept", "enqueue_req", "finish_request", "get_thread_pool", "handle_error", "handle_request",
        "murder_pending",
    }  # fmt: skip
