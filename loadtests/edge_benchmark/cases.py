"""The requests that are measured, as an SDK sends them."""

from collections.abc import Mapping
from dataclasses import dataclass

#: So many devices take turns: each is new once, and then known, as in service.
DEVICES = 1000


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request, and the ratios to a bare uvicorn that are aimed at, where there is an aim."""

    name: str
    method: str
    path: str
    bodies: tuple[str, ...]
    headers: Mapping[str, str]
    aims: Mapping[str, float]

    def requests(self, path: str) -> list[bytes]:
        """Write the requests down, to that path."""
        return [self._request(path, body) for body in self.bodies or ("",)]

    def _request(self, path: str, body: str) -> bytes:
        lines = [f"{self.method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers.items())]
        if body:
            lines.append(f"Content-Length: {len(body.encode())}")
        return ("\r\n".join([*lines, "", ""]) + body).encode()


def cases(project_id: str, secret_key: str, tag: str) -> list[Case]:
    """Give all cases, of one project; `tag` is that of its configuration."""
    headers = {
        "Host": "127.0.0.1",
        "User-Agent": "Shop/4.2 (iPhone; iOS 18.1)",
        "Accept": "application/json",
        "X-Project-Id": project_id,
        "X-Secret-Key": secret_key,
    }
    json_headers = {**headers, "Content-Type": "application/json"}
    devices = [f"device-{number:04}" for number in range(DEVICES)]
    resolves = tuple(
        f'{{"deviceId":"{device}","platform":"ios","appVersion":"4.2.0","locale":"pt-BR","country":"BR"}}'
        for device in devices
    )
    events = tuple(f'{{"eventType":"screen_viewed","deviceId":"{device}","platform":"ios"}}' for device in devices)
    aims = {"protocol": 2.0, "asgi": 0.9}
    return [
        Case("resolve", "POST", "/api/onboarding/resolve", resolves, json_headers, aims),
        Case("config 200", "GET", "/api/config", (), headers, {}),
        Case("config 304", "GET", "/api/config", (), {**headers, "If-None-Match": tag}, {"protocol": 2.0}),
        Case("event", "POST", "/api/analytics/event", events, json_headers, {}),
    ]
