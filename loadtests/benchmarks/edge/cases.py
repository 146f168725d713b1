"""The requests that are measured, as an SDK sends them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle

from loadtests.benchmarks.edge.languages import TAGS
from loadtests.measurement.load_generator import CONNECTIONS

#: The number of clients, which take turns. Each device is new in the warm-up and recorded afterwards, as in service.
CLIENTS = 10_000
#: An event waits for one or two fsyncs of Redis, so the rate of few connections is bound by the disk.
MANY_CONNECTIONS = 256


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request, and the ratio to bare uvicorn that is its aim."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    bodies: Sequence[str] = ("",)
    aim: float | None = None
    connections: int = CONNECTIONS

    def requests(self, clients: Sequence[str]) -> list[bytes]:
        """Write down the request of each client, given by its own header lines; the bodies take turns."""
        return [self.request(client, body) for client, body in zip(clients, cycle(self.bodies), strict=False)]

    def request(self, client: str, body: str) -> bytes:
        """Write down the request of a client, given by its own header lines."""
        lines = [f"{self.method} {self.path} HTTP/1.1", client]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if body:
            lines.append(f"Content-Length: {len(body.encode())}")
        return ("\r\n".join([*lines, "", ""]) + body).encode()


def edge_cases(project_id: str, secret_key: str, tag: str) -> list[Case]:
    """Return all cases, of one project; `tag` is the entity tag of its configuration."""
    get = {"Host": "127.0.0.1", "Accept": "application/json", "X-Project-Id": project_id, "X-Secret-Key": secret_key}
    post = {**get, "Content-Type": "application/json"}
    devices = [f"device-{number:05}" for number in range(CLIENTS)]
    resolves = [
        f'{{"deviceId":"{device}","platform":"ios","appVersion":"4.2.0","locale":"pt-BR","country":"BR"}}'
        for device in devices
    ]
    event = event_case(project_id, secret_key)
    return [
        Case("resolve", "POST", "/api/onboarding/resolve", post, resolves, aim=2.3),
        Case("config 200", "GET", "/api/config", get, aim=2.0),
        Case("config 304", "GET", "/api/config", {**get, "If-None-Match": tag}, aim=2.3),
        event,
        replace(event, name=f"event, {MANY_CONNECTIONS} connections", connections=MANY_CONNECTIONS),
    ]


def languages_case(project_id: str, secret_key: str) -> Case:
    """Return the resolves of a project with ten languages, which the devices want in turns."""
    headers = {
        "Host": "127.0.0.1",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "X-Project-Id": project_id,
        "X-Secret-Key": secret_key,
    }
    resolves = [
        f'{{"deviceId":"device-{number:05}","platform":"ios","appVersion":"4.2.0","locale":"{tag}","country":"BR"}}'
        for number, tag in zip(range(CLIENTS), cycle(TAGS), strict=False)
    ]
    return Case("resolve, 10 languages", "POST", "/api/onboarding/resolve", headers, resolves, aim=2.3)


def event_case(project_id: str, secret_key: str) -> Case:
    """Return the post of a single event."""
    headers = {
        "Host": "127.0.0.1",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "X-Project-Id": project_id,
        "X-Secret-Key": secret_key,
    }
    events = [
        f'{{"eventType":"screen_viewed","deviceId":"device-{number:05}","platform":"ios"}}' for number in range(CLIENTS)
    ]
    return Case("event", "POST", "/api/analytics/event", headers, events, aim=0.65)
