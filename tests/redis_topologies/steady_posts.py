"""Clients that go on posting events, whatever happens behind the edge, and keep the list of what was acknowledged."""

import threading
from types import TracebackType
from typing import Self

from tests.faults.stubborn_clients import ClientLog, StubbornClients

_EVENTS_A_ROUND = 120
_PAUSE_SECONDS = 0.02


class SteadyPosts:
    """Posts for the length of a `with` block; what it has begun to post is acknowledged before the block is left."""

    def __init__(self, clients: StubbornClients) -> None:
        self.log = ClientLog()
        self._clients = clients
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._post, name="steady posts")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _post(self) -> None:
        while not self._over.wait(_PAUSE_SECONDS):
            self.log.add(self._clients.post(_EVENTS_A_ROUND))
