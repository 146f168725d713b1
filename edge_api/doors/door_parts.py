"""What a protocol is given by the application: uvicorn makes protocols itself and hands them the lifespan's state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from edge_api.answers.endpoint import Endpoint
from edge_api.answers.public_answers import PublicAnswers
from edge_api.doors.answer_bytes import SharedHeaders
from edge_api.doors.connection_bounds import ConnectionSweep
from edge_api.doors.request_log import requests_are_logged
from edge_api.edge import Edge
from edge_api.events.group_commit import GroupCommit

#: Where they are in the state.
PARTS = "onboarding.door_parts"


@dataclass(frozen=True, slots=True)
class DoorParts:
    """`shortcuts` are the endpoints that can be answered without ASGI, by the bytes of their paths."""

    answers: PublicAnswers
    commits: GroupCommit
    sweep: ConnectionSweep
    shortcuts: Mapping[bytes, Endpoint]
    logs_requests: bool
    shared: SharedHeaders

    @classmethod
    def of(cls, edge: Edge, sweep: ConnectionSweep) -> Self:
        """Take them from the worker's edge."""
        return cls(
            PublicAnswers(edge.store, edge.limits),
            edge.commits,
            sweep,
            {path.encode(): endpoint for path, endpoint in edge.endpoints.items()},
            requests_are_logged(),
            SharedHeaders(),
        )
