"""The parts of one edge worker, put together, and their life: what any door to it is given."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from common.rules.assignment_tokens import AssignmentTokens
from common.settings.types import assignment_keys_of
from edge_api.answers.health import HEALTH_PATHS
from edge_api.answers.public_endpoints import public_endpoints
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.worker_events import WorkerEvents
from edge_api.figures.request_figures import RequestFigures
from edge_api.rate_limiter import RateLimiter
from edge_api.redis_clients import limiting_client, reading_client, subscriber_client, writing_links
from edge_api.settings import EdgeSettings
from edge_api.snapshots.worker_snapshots import WorkerSnapshots


class Edge:
    """Owns the worker's connections and tasks. Nothing is opened before :meth:`running`."""

    def __init__(self, settings: EdgeSettings, clock: Callable[[], float] | None = None) -> None:
        """Put the parts together; `clock` replaces the clock of Redis for rate limits."""
        self.settings = settings
        url = settings.redis_url.get_secret_value()
        self._client = reading_client(url)
        self._subscriber_client = subscriber_client(url)
        self.snapshots = WorkerSnapshots(settings, self._client, self._subscriber_client)
        self.store = self.snapshots.cache
        self._limiting = limiting_client(url, settings.rate_limit_redis_timeout_ms / 1000)
        self.limits = RateLimiter(settings, self._limiting, clock) if settings.rate_limits_enabled else None
        self.events = WorkerEvents(settings, writing_links(url), self._client)
        self.commits = self.events.commits
        self.tokens = AssignmentTokens(assignment_keys_of(settings.assignment_keys))
        self.endpoints = public_endpoints(self.events.offer_exposure, self.tokens)
        self.requests = RequestFigures((*self.endpoints, *HEALTH_PATHS))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the tasks beside the requests; on leaving, what waits to be stored is stored."""
        tasks = BackgroundTasks()
        await self.snapshots.open()
        await self.events.open()
        self.snapshots.start(tasks)
        if self.limits is not None:
            tasks.start("lease_desk", self.limits.leases.run)
        self.events.start(tasks)
        try:
            yield
        finally:
            await self.events.finish()
            await self.snapshots.finish()
            await tasks.stop()
            await self.snapshots.close()
            if self.limits is not None:
                await self.limits.leases.return_all()
            await self._limiting.aclose()
            await self.events.aclose()
            await self._subscriber_client.aclose()
            await self._client.aclose()
