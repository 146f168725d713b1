"""The connections of a management worker, and the methods of gunicorn that it overrides."""

from contextlib import closing

import gunicorn
import pytest
from gunicorn.workers.gthread import ThreadWorker
from sqlalchemy import QueuePool

from management_api.main import database_of
from management_api.settings import ManagementSettings
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


@pytest.mark.parametrize(("pool_size", "size"), [(2, 8), (12, 12)])
def test_pools_have_a_connection_for_each_thread_at_least(pool_size: int, size: int) -> None:
    url = "postgresql://nobody@nowhere/none"
    settings = ManagementSettings.model_validate(
        {
            "database_url": url,
            "analytics_database_url": url,
            "database_pool_size": pool_size,
            "management_threads": 8,
            "master_key": "A" * 43 + "=",
            "assignment_keys": "A" * 43 + "=",
            "identity_issuer": "https://issuer.test",
            "identity_audience": "onboarding",
        }
    )
    with closing(database_of(settings)) as database:
        assert database.replica is not None
        for engine in (database.engine, database.replica.engine):
            assert isinstance(engine.pool, QueuePool)
            assert engine.pool.size() == size
