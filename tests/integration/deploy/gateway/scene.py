"""A gateway between two services that a test plays, and the form in which it refuses."""

from dataclasses import dataclass

import httpx

from common.errors import ErrorCode
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.recording_service import RecordingService, Reply


@dataclass(frozen=True)
class Scene:
    """A gateway and the two that it calls."""

    gateway: RunningGateway
    edge: RecordingService
    management: RecordingService

    def forget(self) -> None:
        for service in (self.edge, self.management):
            service.received.clear()
            service.reply = Reply()


def assert_refused(response: httpx.Response, code: ErrorCode, status: int) -> None:
    """Hold a response to a request with the id `mine` to the contract's form of an error."""
    document = response.json()
    assert (response.status_code, document["status"], document["code"], document["success"]) == (
        status,
        status,
        code,
        False,
    )
    assert set(document) == {"success", "error", "code", "status"}
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers.get_list("X-Request-Id") == ["mine"]
