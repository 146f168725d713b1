"""The edge's processes: a gunicorn worker that serves with uvicorn, and the arbiter that starts and replaces workers.

The overridden methods are those of gunicorn 27; a test fails on any other version.
"""

import asyncio
import faulthandler
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

import structlog
import uvicorn
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer
from gunicorn.sock import BaseSocket
from gunicorn.workers.base import Worker
from uvicorn.config import STARTUP_FAILURE

from common.process import Backoff

_LOG = structlog.stdlib.get_logger(__name__)

#: For the requests under way when a worker stops.
GRACEFUL_SECONDS = 10
#: After that, a worker stores waiting events and closes its connections to Redis and to the trace collector.
STOP_SECONDS = GRACEFUL_SECONDS + 15
#: For reading snapshots, until a worker serves.
START_SECONDS = 60
_HEARTBEAT_SECONDS = 0.25
#: The arbiter checks its workers at least once a second. After a longer pause it was itself stopped, perhaps with its
#: workers: these have some time for their next heartbeat.
_MAX_CHECK_SECONDS = 2.0
_RESUME_SECONDS = 2.0
_FIRST_BACKOFF_SECONDS = 0.5
#: Not gunicorn's 3 or 4: at those it ends the workers that serve, too.
_START_FAILED_STATUS = 1
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)

_SERVING, _FAILED = 1, 2


class EdgeWorker(Worker):
    """Serves with the uvicorn configuration that `app.wsgi()` makes. Its heartbeat runs in the event loop."""

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - gunicorn's own, passed on
        """Prepare the worker; this runs in the arbiter, before the fork."""
        super().__init__(*arguments, **named)
        self.started_at = time.monotonic()
        #: Set by the arbiter, when it stops the worker.
        self.stopping_since: float | None = None
        # Memory that worker and arbiter share.
        self._phase = mmap.mmap(-1, 1)
        self._server: uvicorn.Server | None = None

    @property
    def has_served(self) -> bool:
        """Whether the worker finished its start."""
        return self._phase[0] == _SERVING

    @property
    def has_failed(self) -> bool:
        """Whether the start ended with an error."""
        return self._phase[0] == _FAILED

    def is_overdue(self, now: float) -> bool:
        """Return whether the start or the stop takes too long."""
        if self.stopping_since is not None:
            return now - self.stopping_since > STOP_SECONDS
        return not self.has_served and now - self.started_at > START_SECONDS

    def init_signals(self) -> None:
        """Stop in order at SIGTERM, SIGINT and SIGQUIT; print the stack and end at SIGABRT, for a stale heartbeat."""
        for number in self.SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        for number in _STOP_SIGNALS:
            signal.signal(number, self._stop)
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
        faulthandler.enable()

    def run(self) -> None:
        """Serve until a signal to stop, or until the arbiter is gone."""
        try:
            config = cast("Callable[[], uvicorn.Config]", self.wsgi)()
            self._server = uvicorn.Server(config)
            with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
                runner.run(self._serve(self._server))
        except (Exception, SystemExit) as error:
            was_stopped = isinstance(error, SystemExit) and not error.code
            if self.has_served or was_stopped:
                raise
            # uvicorn has logged why it exits.
            _LOG.error("worker_start_failed", exc_info=not isinstance(error, SystemExit))
            self._phase[0] = _FAILED
            sys.exit(_START_FAILED_STATUS)

    async def _serve(self, server: uvicorn.Server) -> None:
        heartbeat = asyncio.create_task(self._beat(server))
        try:
            await server.serve([cast("BaseSocket", listener).sock for listener in self.sockets])
        finally:
            heartbeat.cancel()

    async def _beat(self, server: uvicorn.Server) -> None:
        while True:
            self.notify()
            if server.started:
                self._phase[0] = _SERVING
            if os.getppid() != self.ppid:
                # A worker without an arbiter would keep the port for ever.
                server.should_exit = True
            await asyncio.sleep(_HEARTBEAT_SECONDS)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        # uvicorn handles SIGTERM and SIGINT itself while it serves, and raises them again when it has stopped.
        if self._server is None:
            sys.exit(0)
        self._server.should_exit = True


class EdgeArbiter(Arbiter):
    """gunicorn's arbiter with a rolling restart: at SIGHUP each worker serves until its replacement does.

    A worker that cannot start is retried with growing pauses. gunicorn would end those that serve, too.
    """

    def __init__(self, app: BaseApplication) -> None:
        #: Workers up to this age are to be replaced.
        self._outdated_age = 0
        self._backoff = Backoff(first=_FIRST_BACKOFF_SECONDS, limit=START_SECONDS)
        self._next_start_at = 0.0
        self._checked_at = self._resumed_at = time.monotonic()
        self._is_stopping = False
        super().__init__(app)

    def handle_hup(self) -> None:
        """Begin a rolling restart."""
        self._outdated_age = self.worker_age

    def handle_int(self) -> None:
        """Stop in order, as at SIGTERM. A second SIGINT leaves the workers two seconds."""
        self.handle_term()

    def manage_workers(self) -> None:
        """Start missing workers. In a rolling restart, stop one outdated worker as soon as its replacement serves."""
        staying = sorted((worker for worker in self._workers() if worker.stopping_since is None), key=_age)
        if len(staying) > self.num_workers:
            oldest, *others = staying
            if all(worker.has_served for worker in others):
                oldest.stopping_since = time.monotonic()
                self.kill_worker(int(oldest.pid), signal.SIGTERM)
            return
        # One replacement at a time, once the former worker has ended: memory is sized for one worker more.
        is_restarting = bool(staying) and staying[0].age <= self._outdated_age
        replacements = is_restarting and len(staying) == len(self.WORKERS)
        if time.monotonic() >= self._next_start_at:
            for _ in range(self.num_workers + replacements - len(staying)):
                self.spawn_worker()

    def spawn_worker(self) -> int:
        """Fork a worker. Signals wait until it has handlers of its own; the arbiter's would ignore them there."""
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
        try:
            return super().spawn_worker()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)

    def murder_workers(self) -> None:
        """Kill workers whose heartbeat, start or stop is overdue."""
        now = time.monotonic()
        if now - self._checked_at > _MAX_CHECK_SECONDS:
            self._resumed_at = now
        self._checked_at = now
        if now - self._resumed_at < _RESUME_SECONDS:
            return
        for worker in self._workers():
            if worker.is_overdue(now):
                _LOG.error("worker_overdue", worker=worker.pid, is_stopping=worker.stopping_since is not None)
                self.kill_worker(int(worker.pid), signal.SIGKILL)
        super().murder_workers()

    def stop(self, graceful: bool = True) -> None:  # noqa: FBT001, FBT002 - gunicorn's signature
        """Stop all workers."""
        self._is_stopping = True
        for worker in self._workers():
            worker.stopping_since = time.monotonic()
        super().stop(graceful)

    def reap_workers(self) -> None:
        """Collect exited workers. gunicorn does nothing else during a stop: kill stale workers here then."""
        if self._is_stopping:
            self.murder_workers()
        super().reap_workers()

    def worker_exited(self, worker: Worker) -> None:
        """Decide when the next worker starts (hook `child_exit`). Raises HaltServer when no worker can start."""
        ended = cast("EdgeWorker", worker)
        if ended.stopping_since is not None:
            return
        others = self._workers()
        if ended.has_served:
            self._backoff.reset()
        elif any(other.age <= self._outdated_age for other in others):
            _LOG.error("restart_given_up", worker=ended.pid)
            self._outdated_age = 0
        elif ended.has_failed and not any(other.has_served for other in others):
            raise HaltServer("no worker can start", STARTUP_FAILURE)
        else:
            self._next_start_at = time.monotonic() + self._backoff.next_delay()

    def _workers(self) -> list[EdgeWorker]:
        return [cast("EdgeWorker", worker) for worker in self.WORKERS.values()]


def _age(worker: Worker) -> int:
    return worker.age
