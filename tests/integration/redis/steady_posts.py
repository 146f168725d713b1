"""Clients that post events without pause and record the acknowledged ones."""

import threading
from types import TracebackType
from typing import Self

from tests.support.faults.retrying_clients import ClientLog, RetryingClients

_EVENTS_A_ROUND = 120
_PAUSE_SECONDS = 0.02


class SteadyPosts:
    """Posts for the length of a `with` block, which ends when the last post is acknowledged."""

    def __init__(self, clients: RetryingClients) -> None:
        self.log = ClientLog()
        self._clients = clients
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._post, name="steady posts")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def _post(self) -> None:
        while not self._stopped.wait(_PAUSE_SECONDS):
            self.log.add(self._clients.post(_EVENTS_A_ROUND))
