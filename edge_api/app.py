"""The wiring of one edge worker: its parts, the ASGI application around them, and their lifespan."""

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.types import ASGIApp

from common.client_address import TrustedProxies
from common.process import tune_gc
from common.settings.types import assignment_keys_of
from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.tracing import create_spans
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.tickets import Tickets
from edge_api.api.config import ConfigEndpoint
from edge_api.api.events import EventBatchEndpoint, EventEndpoint
from edge_api.api.handler import Endpoint, RequestHandler
from edge_api.api.ofrep import OfrepFlagEndpoint, OfrepFlagsEndpoint
from edge_api.api.pages import GlobalConfigEndpoint, PageEndpoint, TicketEventsEndpoint, TicketResolveEndpoint
from edge_api.api.resolve import ResolveEndpoint
from edge_api.api.routes import (
    API_OFREP_FLAG,
    API_OFREP_FLAGS,
    ASSET,
    CONFIG,
    EVENT,
    EVENTS,
    GLOBAL_CONFIG,
    LIVE,
    MEDIA,
    OFREP_FLAG,
    OFREP_FLAGS,
    PAGE,
    PREVIEW,
    READY,
    RESOLVE,
    TICKET_EVENTS,
    TICKET_RESOLVE,
    EdgeRoute,
)
from edge_api.api.stored_page import StoredPages
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.worker_events import WorkerEvents
from edge_api.http.asgi import LivenessEndpoint, PublicEndpoint, ReadinessEndpoint, create_starlette
from edge_api.http.connection_limits import ConnectionLimits, ConnectionReaper
from edge_api.http.media import MediaEndpoint
from edge_api.http.ofrep import OfrepApp
from edge_api.http.pages import AssetEndpoint, CredentialsInQuery, PreviewShell
from edge_api.http.request_metrics import RequestMetrics
from edge_api.http.worker_context import WORKER_CONTEXT, create_worker_context
from edge_api.media.files import MediaFiles
from edge_api.metrics import EdgeMetrics, report_metrics
from edge_api.page_assets import PageAssets
from edge_api.rate_limiter import RateLimiter
from edge_api.redis_clients import asset_client, event_connections, lease_client, snapshot_client, subscriber_client
from edge_api.settings import EdgeSettings
from edge_api.snapshots.worker_snapshots import WorkerSnapshots
from edge_api.tracing import TracingEndpoint, TracingMiddleware


class Edge:
    """The connections and tasks of a worker. Nothing is opened before :meth:`running`."""

    def __init__(self, settings: EdgeSettings, clock: Callable[[], float] | None = None) -> None:
        """Create the parts; `clock` replaces the clocks, in Unix time, of the rate limits and the quotas."""
        self.settings = settings
        url = settings.redis_url.get_secret_value()
        self._client = snapshot_client(url)
        self._subscriber_client = subscriber_client(url)
        self.snapshots = WorkerSnapshots(settings, self._client, self._subscriber_client)
        self._limiting = lease_client(url, settings.rate_limit_redis_timeout_ms / 1000)
        self.limits = RateLimiter(settings, self._limiting, clock) if settings.rate_limits_enabled else None
        self.events = WorkerEvents(settings, event_connections(url), self._client, clock or time.time)
        self.commits = self.events.commits
        self.tokens = AssignmentTokens(assignment_keys_of(settings.assignment_keys))
        self.tickets = Tickets(assignment_keys_of(settings.assignment_keys))
        self._asset_client = asset_client(url)
        self.assets = PageAssets(self._asset_client, settings.edge_snapshot_folder)
        self.media = MediaFiles(
            settings.media_store, settings.edge_snapshot_folder, settings.edge_media_folder_mb * 1024 * 1024
        )
        resolve = ResolveEndpoint(self.events.record_exposure, self.tokens)
        batch = EventBatchEndpoint(self.snapshots.health, self.events.quotas)
        #: The endpoints of all routes with a credential.
        self.endpoints: dict[EdgeRoute, Endpoint] = {
            RESOLVE: resolve,
            CONFIG: ConfigEndpoint(),
            EVENT: EventEndpoint(self.snapshots.health, self.events.quotas),
            EVENTS: batch,
            GLOBAL_CONFIG: GlobalConfigEndpoint(self.tickets, settings.edge_public_url),
            TICKET_RESOLVE: TicketResolveEndpoint(resolve),
            TICKET_EVENTS: TicketEventsEndpoint(batch, self.tokens),
            PAGE: PageEndpoint(settings.media_url, StoredPages(lambda: self.assets.manifest, self.assets.loaded)),
        }
        flag = OfrepFlagEndpoint(resolve, records_exposures=self.events.record_exposure is not None)
        flags = OfrepFlagsEndpoint(ResolveEndpoint(None, self.tokens))
        self.endpoints |= {OFREP_FLAG: flag, API_OFREP_FLAG: flag, OFREP_FLAGS: flags, API_OFREP_FLAGS: flags}
        self.requests = RequestMetrics()
        self.handler = RequestHandler(self.snapshots.cache, self.limits, self.tickets, self.events.key_use.note)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the background tasks; on leaving, store the events that wait."""
        async with AsyncExitStack() as at_the_end:
            # In the reverse order, and each step also after the failure of another one.
            for close in (
                self._client.aclose,
                self._asset_client.aclose,
                self._subscriber_client.aclose,
                self.events.aclose,
                self._limiting.aclose,
            ):
                at_the_end.push_async_callback(close)
            if self.limits is not None:
                at_the_end.push_async_callback(self.limits.settle_all)
            at_the_end.push_async_callback(self.snapshots.close)
            tasks = BackgroundTasks()
            at_the_end.push_async_callback(tasks.stop)
            await self.snapshots.open()
            await self.events.open()
            await self.assets.open()
            self.snapshots.start(tasks)
            tasks.start("page_assets", self.assets.run)
            if self.limits is not None:
                await self.limits.open()
                tasks.start("rate_limits", self.limits.run)
            self.events.start(tasks)
            at_the_end.push_async_callback(self.snapshots.finish)
            at_the_end.push_async_callback(self.events.finish)
            yield


def create_app(edge: Edge, writer: WorkerMetricsWriter | None = None) -> Starlette:
    """Return the application, whose lifespan is the edge's. The worker's metrics go to the writer."""
    reaper = ConnectionReaper(ConnectionLimits.from_settings(edge.settings))
    metrics = EdgeMetrics(edge.requests, reaper, edge.snapshots, edge.events, edge.assets, edge.media, edge.limits)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, object]]:
        async with report_metrics(writer, metrics), edge.running(), reaper.running():
            tune_gc()
            context = create_worker_context(
                edge.handler,
                edge.commits,
                reaper,
                edge.endpoints,
                edge.requests,
                edge.assets,
                has_other_origins=bool(edge.settings.edge_cors_origins),
            )
            yield {WORKER_CONTEXT: context}

    settings, handler, commits = edge.settings, edge.handler, edge.commits
    proxies = TrustedProxies(settings.trusted_proxies)
    dashboard_url = settings.dashboard_url or settings.edge_public_url
    apps: dict[EdgeRoute, ASGIApp] = {
        route: PublicEndpoint(route, endpoint, handler, commits) for route, endpoint in edge.endpoints.items()
    }
    apps |= {
        GLOBAL_CONFIG: CredentialsInQuery(edge.endpoints[GLOBAL_CONFIG], handler, commits, proxies),
        **{
            route: OfrepApp(route, edge.endpoints[route], handler, commits)
            for route in (OFREP_FLAG, OFREP_FLAGS, API_OFREP_FLAG, API_OFREP_FLAGS)
        },
        ASSET: AssetEndpoint(edge.assets),
        MEDIA: MediaEndpoint(edge.media),
        PREVIEW: PreviewShell(edge.assets, dashboard_url, settings.media_url, proxies),
        LIVE: LivenessEndpoint(),
        READY: ReadinessEndpoint(edge.snapshots, edge.events, edge.limits, edge.tokens),
    }
    return create_starlette(apps, handler, edge.requests, lifespan, settings.edge_cors_origins)


def worker_application(settings: EdgeSettings, writer: WorkerMetricsWriter | None) -> ASGIApp:
    """Return the application of one worker, with traces if the environment turns them on. Raises SettingsError."""
    edge = Edge(settings)
    spans = create_spans("edge", os.environ)
    if spans is None:
        return create_app(edge, writer)
    edge.endpoints = {route: TracingEndpoint(endpoint, spans) for route, endpoint in edge.endpoints.items()}
    return TracingMiddleware(create_app(edge, writer), spans)
