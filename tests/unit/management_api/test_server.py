"""Pins the methods of gunicorn that the management worker overrides."""

import gunicorn
from gunicorn.workers.gthread import ThreadWorker

from management_api.server import ManagementWorker


def test_gunicorn_has_the_version_whose_methods_are_overridden() -> None:
    # Another version: compare both methods with gunicorn's, run the integration tests of the server, change this.
    assert gunicorn.version_info[:2] == (27, 0)


def test_worker_overrides_two_methods_of_gunicorn() -> None:
    methods = {name for name, value in vars(ManagementWorker).items() if callable(value)}
    assert methods == {"accept", "handle_error"}
    assert all(hasattr(ThreadWorker, name) for name in methods)
