"""Pins the methods of gunicorn that the edge's worker and arbiter override."""

import gunicorn
import pytest
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from edge_api.worker import EdgeArbiter, EdgeWorker


def test_gunicorn_has_the_version_whose_methods_are_overridden() -> None:
    # Another version: compare the methods of both classes with gunicorn's, run the integration tests, change this.
    assert gunicorn.version_info[:2] == (27, 0)


@pytest.mark.parametrize(
    ("ours", "base", "added"),
    [
        (EdgeArbiter, Arbiter, {"worker_exited"}),
        (EdgeWorker, Worker, {"has_served", "has_failed", "is_overdue"}),
    ],
)
def test_overridden_methods_exist_in_gunicorn(ours: type, base: type, added: set[str]) -> None:
    public = {name for name in vars(ours) if not name.startswith("_")}
    assert {name for name in public if not hasattr(base, name)} == added
