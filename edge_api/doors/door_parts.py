"""What a protocol is given by the application: uvicorn makes protocols itself and hands them the lifespan's state."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import msgspec

from edge_api.answers.endpoint import Endpoint
from edge_api.answers.public_answers import RequestHandler
from edge_api.doors.answer_bytes import SharedHeaders
from edge_api.doors.connection_bounds import ConnectionSweep
from edge_api.doors.outbox import Outbox
from edge_api.doors.request_log import requests_are_logged
from edge_api.edge import Edge
from edge_api.events.group_commit import GroupCommit
from edge_api.figures.request_figures import RequestFigures, RouteFigures

#: Where they are in the state.
PARTS = "onboarding.door_parts"


class Shortcut(msgspec.Struct, frozen=True, gc=False):
    """An endpoint that can be answered without ASGI."""

    path: str
    endpoint: Endpoint
    methods: frozenset[bytes]
    body_limit: int
    figures: RouteFigures

    @classmethod
    def of(cls, path: str, endpoint: Endpoint, figures: RouteFigures) -> Self:
        """Make the shortcut of an endpoint; one that takes no body is handed none."""
        return cls(path, endpoint, frozenset(map(str.encode, endpoint.methods)), endpoint.body_limit or 0, figures)


@dataclass(frozen=True, slots=True)
class DoorParts:
    """`shortcuts` are found by the bytes of their paths, as requests have them."""

    answers: RequestHandler
    commits: GroupCommit
    sweep: ConnectionSweep
    shortcuts: Mapping[bytes, Shortcut]
    logs_requests: bool
    shared: SharedHeaders
    outbox: Outbox
    requests: RequestFigures

    @classmethod
    def of(cls, edge: Edge, sweep: ConnectionSweep) -> Self:
        """Take them from the worker's edge, in its event loop."""
        return cls(
            RequestHandler(edge.store, edge.limits),
            edge.commits,
            sweep,
            {
                path.encode(): Shortcut.of(path, endpoint, edge.requests.of(path))
                for path, endpoint in edge.endpoints.items()
            },
            requests_are_logged(),
            SharedHeaders(),
            Outbox(asyncio.get_running_loop()),
            edge.requests,
        )
