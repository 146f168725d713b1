"""The entry to the management service: `serve` runs gunicorn, `application` is the factory for other WSGI servers."""

import atexit
import functools
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from wsgiref.types import WSGIApplication

from gunicorn.http.errors import NoMoreData, ParseException

from common.errors import MalformedBodyError, RequestError, SettingsError
from common.logging import configure_logging
from common.process import raise_open_files_limit
from common.settings.sources import read_settings
from common.telemetry.exporter import serve_worker_metrics
from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.process_metrics import collect_process
from common.telemetry.reporting import ReportingThread
from common.telemetry.samples import Collect
from common.telemetry.tracing import create_spans, validate_tracing_config
from management_api.auth.authentication import Authentication
from management_api.auth.groups import GroupRoles
from management_api.auth.jwt import check_identity_settings, token_verifier
from management_api.db.engine import Database, connection_url
from management_api.db.key_vault import KeyVault
from management_api.db.pool_metrics import PoolMetrics
from management_api.db.replica import ReplicaMetrics
from management_api.http.app import create_app
from management_api.http.middleware import NOT_HTTP, RateLimitMiddleware, RequestMetrics, TracingMiddleware
from management_api.rate_limiter import RateLimiter
from management_api.server import ManagementServer, WorkerApplication, listen_on
from management_api.settings import ManagementSettings
from management_api.worker import RejectMalformed

#: Errors of the server for a body that is malformed or not sent to its end.
UNREADABLE_BODY = (ParseException, NoMoreData, ConnectionError)


def serve(settings: ManagementSettings) -> None:
    """Serve until SIGTERM, then finish the requests in flight. Raises SettingsError when it cannot start."""
    check_identity_settings(settings)
    validate_tracing_config(os.environ)
    _check_urls(settings)
    raise_open_files_limit()
    try:
        listener = listen_on(settings.management_host, settings.management_port)
    except OSError as error:
        address = f"{settings.management_host}:{settings.management_port}"
        raise SettingsError(f"MANAGEMENT_PORT: cannot listen on {address}: {os.strerror(error.errno or 0)}") from error
    port, workers = settings.management_metrics_port, settings.management_workers
    with serve_worker_metrics("management", settings, port=port, workers=workers) as folder:
        ManagementServer(settings, listener, functools.partial(make_application, folder=folder)).run()


def application() -> WSGIApplication:
    """Return the application from the environment, for another WSGI server."""
    settings = read_settings(ManagementSettings)
    configure_logging(settings, "management")
    return make_application(settings).application


def make_application(settings: ManagementSettings, *, folder: Path | None = None) -> WorkerApplication:
    """Return the application with a connection pool of its own. Raises SettingsError.

    The worker writes its metrics into the folder, if there is one.
    """
    tokens = token_verifier(settings)
    database, vault = database_of(settings), KeyVault(settings.master_key)
    authentication = Authentication(database, vault, tokens, GroupRoles.from_settings(settings))
    limiter = RateLimiter.from_settings(settings, settings.redis_url) if settings.rate_limits_enabled else None
    metrics = RequestMetrics()
    if folder is not None:
        replica = ReplicaMetrics(database)
        collectors = [metrics.collect, PoolMetrics("management", database).collect, replica.collect]
        _start_reporting(
            folder, [*collectors, limiter.collect] if limiter is not None else collectors, replica.polling()
        )
    spans = create_spans("management", os.environ)
    rate_limits = None if limiter is None else RateLimitMiddleware(limiter, settings, authentication)
    app = create_app(
        settings,
        database,
        vault,
        authentication,
        rate_limits=rate_limits,
        metrics=metrics,
        tracing=None if spans is None else TracingMiddleware(spans),
        unreadable_body=UNREADABLE_BODY,
    )
    return WorkerApplication(app, _malformed_rejection(rate_limits, metrics))


def _start_reporting(folder: Path, collectors: Sequence[Collect], polling: AbstractContextManager[None]) -> None:
    """Write the metrics of this worker to the store of all workers, once a second, and run `polling` for as long."""
    at_exit = ExitStack()
    at_exit.enter_context(polling)
    reporting = ReportingThread(
        WorkerMetricsWriter(folder), [*collectors, functools.partial(collect_process, "management")]
    )
    reporting.start()
    at_exit.callback(reporting.close)
    # gunicorn's workers run these functions, so the last samples are written.
    atexit.register(at_exit.close)


def _malformed_rejection(rate_limits: RateLimitMiddleware | None, metrics: RequestMetrics) -> RejectMalformed:
    def reject(address: str) -> tuple[RequestError, Mapping[str, str]]:
        error: RequestError = MalformedBodyError(NOT_HTTP)
        headers: Mapping[str, str] = {}
        if rate_limits is not None:
            error, headers = rate_limits.reject_malformed(address)
        metrics.count(None, "", error.status, 0.0)
        return error, headers

    return reject


def _check_urls(settings: ManagementSettings) -> None:
    # A wrong URL must end the start in one line, and not end each worker.
    connection_url(settings.database_url)
    if settings.analytics_database_url is not None:
        connection_url(settings.analytics_database_url, "ONBOARDING_ANALYTICS_DATABASE_URL")


def database_of(settings: ManagementSettings) -> Database:
    """Return the pool of connections, with that of the replica if the settings name one.

    A request holds one connection at a time.
    """
    url, threads = settings.analytics_database_url, settings.management_threads
    of_replica = None if url is None else settings.model_copy(update={"database_url": url})
    replica = None if of_replica is None else Database(of_replica, connections=threads)
    return Database(settings, replica, connections=threads)
