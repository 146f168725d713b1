"""Requests as bytes, of every kind that the edge treats differently."""

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import raw_request
from tests.support.data.snapshots import sdk_headers

RESOLVE = "/api/onboarding/resolve"
DEVICE = b'{"deviceId": "phone"}'
EVENT = b'{"eventType": "flow_started", "deviceId": "phone", "eventId": "mine"}'


def request_examples(snapshot: Snapshot) -> list[tuple[bytes, int]]:
    """Return requests of every kind with their status: served at once, after a wait, by Starlette, or rejected."""
    headers = sdk_headers(snapshot)
    chunked = {**headers, "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    return [
        (raw_request("POST", RESOLVE, headers, DEVICE), 200),
        (raw_request("POST", "/api/analytics/event", headers, EVENT), 201),
        (raw_request("GET", "/api/v1/config", headers), 200),
        (raw_request("GET", "/health/live", {}), 200),
        (raw_request("GET", "/api/nothing", {}), 404),
        (raw_request("DELETE", RESOLVE, headers), 405),
        (raw_request("POST", RESOLVE, headers, b"{"), 400),
        (raw_request("POST", RESOLVE, {}, DEVICE), 401),
        (raw_request("POST", RESOLVE, headers, b" " * 70_000), 413),
        (raw_request("POST", RESOLVE, chunked) + b"15\r\n" + DEVICE + b"\r\n0\r\n\r\n", 200),
        (raw_request("GET", "/api/config?x=1", headers), 200),
    ]


def without_remaining(headers: bytes) -> list[bytes]:
    """Return the lines without the number of requests that remain, which both HTTP implementations count down."""
    return [line for line in headers.splitlines() if not line.startswith(b"x-ratelimit-remaining")]
