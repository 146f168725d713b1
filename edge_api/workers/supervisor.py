"""Keeps as many workers as are wanted: replaces who dies or falls silent, and everyone, by turns, when told to."""

import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from types import FrameType

import structlog
from uvicorn.config import STARTUP_FAILURE

from common.process import Backoff, ShutdownSignal
from edge_api.workers.worker_bounds import WorkerBounds
from edge_api.workers.worker_process import WorkerProcess

_LOG = structlog.stdlib.get_logger(__name__)

_LOOK_SECONDS = 0.5
#: A wait that took longer was not spent listening: this process was itself stopped, and its workers with it, perhaps.
_LONGEST_LOOK_SECONDS = 2 * _LOOK_SECONDS


class Supervisor:
    """`start` gives a new worker. Nothing waits for any one of them, so that signals are heeded at once, always."""

    def __init__(self, start: Callable[[], WorkerProcess], wanted: int, bounds: WorkerBounds) -> None:
        self._start = start
        self._wanted = wanted
        self._bounds = bounds
        self._kept: list[WorkerProcess] = []
        self._ending: list[WorkerProcess] = []
        #: Those kept whom a restart has yet to replace, and who is to replace the next of them.
        self._former: list[WorkerProcess] = []
        self._newcomer: WorkerProcess | None = None
        self._stop = ShutdownSignal()
        self._is_restart_asked_for = False
        self._backoff = Backoff(first=_LOOK_SECONDS, limit=bounds.start_seconds)
        self._next_start_at = 0.0
        self._status = 0

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; SIGHUP restarts by turns.

        Raises SystemExit where no worker can start.
        """
        self._stop.listen()
        signal.signal(signal.SIGHUP, self._ask_for_restart)
        try:
            while not self._stop.is_set():
                self._fill_up()
                self._look()
                self._part_with_the_lost()
                self._restart_by_turns()
            self._dismiss_newcomer()
            for worker in list(self._kept):
                self._dismiss(worker)
            while self._ending:
                self._look()
        finally:
            for worker in self._workers():
                worker.kill()
        if self._status:
            sys.exit(self._status)

    def _workers(self) -> list[WorkerProcess]:
        return [*self._kept, *self._ending, *([] if self._newcomer is None else [self._newcomer])]

    def _fill_up(self) -> None:
        if time.monotonic() >= self._next_start_at:
            while len(self._kept) < self._wanted:
                self._kept.append(self._start())

    def _look(self) -> None:
        """Wait for a worker's end, for a moment, take in everyone's signs, and bury those who were told to end."""
        began_at = time.monotonic()
        wait([worker.sentinel for worker in self._workers()], _LOOK_SECONDS)
        awake_seconds = min(time.monotonic() - began_at, _LONGEST_LOOK_SECONDS)
        for worker in self._workers():
            worker.listen(awake_seconds)
        for worker in list(self._ending):
            if worker.has_ended:
                self._ending.remove(worker)
                worker.close()
            elif self._is_silent(worker) or worker.phase_seconds > self._bounds.end_seconds:
                worker.kill()

    def _is_silent(self, worker: WorkerProcess) -> bool:
        bounds = self._bounds
        return worker.silent_seconds > (bounds.silence_seconds if worker.was_heard else bounds.start_seconds)

    def _part_with_the_lost(self) -> None:
        for worker in list(self._kept):
            if worker.has_ended:
                _LOG.warning("worker_died", worker=worker.pid, status=worker.exit_status)
            elif self._is_silent(worker):
                _LOG.error("worker_silent", worker=worker.pid, seconds=round(worker.silent_seconds))
                worker.kill()
            else:
                continue
            self._kept.remove(worker)
            self._ending.append(worker)
            if worker in self._former:
                self._former.remove(worker)
            self._mind_the_next_start(worker)

    def _mind_the_next_start(self, lost: WorkerProcess) -> None:
        """Replace at once who has served; what cannot even start is tried again later and later, or ends it all."""
        if lost.serves:
            self._backoff.reset()
        elif lost.exit_status == STARTUP_FAILURE and not any(worker.serves for worker in self._kept):
            self._status = STARTUP_FAILURE
            self._stop.set()
        else:
            self._next_start_at = time.monotonic() + self._backoff.next_delay()

    def _restart_by_turns(self) -> None:
        """Bring a new worker into service, let a former one go, and so on."""
        if self._is_restart_asked_for:
            self._is_restart_asked_for = False
            self._former = list(self._kept)
            self._dismiss_newcomer()
        if self._newcomer is None:
            if self._former and not self._ending:
                self._newcomer = self._start()
        elif self._newcomer.has_ended or self._newcomer.phase_seconds > self._bounds.start_seconds:
            _LOG.error("restart_given_up", worker=self._newcomer.pid, status=self._newcomer.exit_status)
            self._former.clear()
            self._dismiss_newcomer()
        elif not self._former:
            self._dismiss_newcomer()
        elif self._newcomer.serves:
            self._kept.append(self._newcomer)
            self._newcomer = None
            self._dismiss(self._former.pop(0))

    def _dismiss_newcomer(self) -> None:
        if self._newcomer is not None:
            self._dismiss(self._newcomer)

    def _dismiss(self, worker: WorkerProcess) -> None:
        worker.ask_to_end()
        if worker is self._newcomer:
            self._newcomer = None
        else:
            self._kept.remove(worker)
        self._ending.append(worker)

    def _ask_for_restart(self, _number: int, _frame: FrameType | None) -> None:
        self._is_restart_asked_for = True
