"""Clients that post events without pause and record the acknowledged ones."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from tests.support.background import in_background
from tests.support.faults.retrying_clients import ClientLog, RetryingClients

_EVENTS_A_ROUND = 120
_PAUSE_SECONDS = 0.02


@contextmanager
def steady_posts(clients: Sequence[RetryingClients]) -> Iterator[list[ClientLog]]:
    """Post during the block, which ends when the last posts are acknowledged."""
    logs = [ClientLog() for _ in clients]

    def post(client: RetryingClients, log: ClientLog, stop: threading.Event) -> None:
        while not stop.wait(_PAUSE_SECONDS):
            log.add(client.post(_EVENTS_A_ROUND))

    works = [partial(post, client, log) for client, log in zip(clients, logs, strict=True)]
    with in_background(threading.Event(), *works):
        yield logs
