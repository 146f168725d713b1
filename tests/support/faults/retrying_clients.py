"""Clients that post each event until it is accepted, and log the acknowledged events."""

import random
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx

EVENTS_A_POST = 40
#: The share of accepted events that a client sends again, as clients do after a lost response.
REPEATED = 0.05
_PAUSE_SECONDS = 0.05
_TYPES = ("flow_started", "screen_viewed", "screen_completed", "flow_completed", "custom.event")


@dataclass
class ClientLog:
    """Events that were acknowledged to clients."""

    acknowledged: set[str] = field(default_factory=set)
    posts: int = 0
    failed_posts: int = 0
    repeated: int = 0

    def add(self, other: "ClientLog") -> None:
        """Add the log of another client."""
        self.acknowledged |= other.acknowledged
        self.posts += other.posts
        self.failed_posts += other.failed_posts
        self.repeated += other.repeated


class RetryingClients:
    """Concurrent clients, each with its own connection and order of events. Views of `screens` have links."""

    def __init__(
        self, edge_url: str, keys: dict[str, str], flow_id: str, *, clients: int = 3, screens: Sequence[str] = ()
    ) -> None:
        self._edge_url = edge_url
        self._headers = keys
        self._flow_id = flow_id
        self._clients = clients
        self._screens = screens
        self._over = threading.Event()

    def post(self, events: int) -> ClientLog:
        """Post at least this number of events; return the log when all are acknowledged."""
        log = ClientLog()
        each = -(-events // self._clients)
        with ThreadPoolExecutor(self._clients) as pool:
            try:
                for own in pool.map(self._post, [each] * self._clients, range(self._clients)):
                    log.add(own)
            except BaseException:
                # The other clients would never end.
                self._over.set()
                raise
        return log

    def _post(self, events: int, seed: int) -> ClientLog:
        rng = random.Random(seed)
        log = ClientLog()
        sure: list[dict[str, Any]] = []
        with httpx.Client(base_url=self._edge_url, headers=self._headers, timeout=10) as client:
            while len(log.acknowledged) < events and not self._over.is_set():
                fresh = [self._event(rng) for _ in range(EVENTS_A_POST)]
                again = rng.sample(sure, min(len(sure), round(EVENTS_A_POST * REPEATED)))
                log.repeated += len(again)
                self._post_until_accepted(client, fresh + again, log)
                sure = (sure + fresh)[-1000:]
        return log

    def _post_until_accepted(self, client: httpx.Client, events: list[dict[str, Any]], log: ClientLog) -> None:
        while events and not self._over.is_set():
            accepted = self._accepted(client, events)
            log.posts += 1
            log.failed_posts += not accepted
            log.acknowledged |= accepted
            events = [event for event in events if event["eventId"] not in accepted]
            if events:
                time.sleep(_PAUSE_SECONDS)

    def _accepted(self, client: httpx.Client, events: list[dict[str, Any]]) -> set[str]:
        """Post once; return the acknowledged ids, none after an error or without a response."""
        try:
            response = client.post("/api/analytics/events", json={"events": events})
        except httpx.TransportError:
            return set()
        assert response.status_code in {200, 503}, response.text
        if response.status_code != 200:
            return set()
        return {result["eventId"] for result in response.json()["results"] if result["status"] == "accepted"}

    def _event(self, rng: random.Random) -> dict[str, Any]:
        event_type = rng.choice(_TYPES)
        return {
            "eventType": event_type,
            "eventId": uuid.uuid4().hex,
            "deviceId": f"device-{rng.randrange(500)}",
            "flowId": self._flow_id,
            "timestamp": _late(rng) if rng.random() < 0.1 else None,
            **(self._view(rng) if self._screens and event_type == "screen_viewed" else {}),
        }

    def _view(self, rng: random.Random) -> dict[str, Any]:
        link = {"from_screen_id": rng.choice([None, *self._screens]), "rule": rng.choice([None, "rule_1"])}
        return {"screenId": rng.choice(self._screens), "properties": link}


def _late(rng: random.Random) -> str:
    """Return an hour of the year before."""
    return f"2025-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:00:00Z"
