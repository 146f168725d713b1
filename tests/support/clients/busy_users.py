"""Users who change and read flows of the management service concurrently, and a log of the responses."""

import threading
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any

from tests.support.clients.balanced_client import BalancedClient
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.polling import eventually

#: Leaves processor time to the services, which restart meanwhile.
_PAUSE_SECONDS = 0.1


class BusyUsers:
    """Each user creates, renames, reads and counts flows in a project, on the instances of the service in turn.

    The users only add to `errors` and `flows`.
    """

    def __init__(self, ports: Sequence[int], issuer: TokenIssuer) -> None:
        self._ports = ports
        self._issuer = issuer
        self._over = threading.Event()
        self.responses = 0
        #: The unexpected responses, and the requests without a response.
        self.errors: list[str] = []
        #: The acknowledged name of each created flow, by its id.
        self.flows: dict[str, str] = {}

    @contextmanager
    def running(self, users: int) -> Iterator[None]:
        """Run this number of users during the block."""
        with ThreadPoolExecutor(users) as pool:
            work = [pool.submit(self._work, f"user-{number}") for number in range(users)]
            try:
                yield
            finally:
                self._over.set()
            for future in work:
                future.result()

    def wait_for_responses(self) -> None:
        """Wait for 20 more responses."""
        enough = self.responses + 20
        eventually(lambda: self.responses > enough, within=120)

    def _work(self, name: str) -> None:
        headers = {"Authorization": f"Bearer {self._issuer.token(name)}"}
        with BalancedClient(self._ports, headers) as client:
            project_id = self._data(client, "POST", "/api/projects", {"name": "Busy"})["id"]
            while not self._over.wait(_PAUSE_SECONDS):
                flow = {"projectId": project_id, "name": "Flow", "screens": [{"type": "welcome"}]}
                created = self._data(client, "POST", "/api/flows", flow)
                if not created:
                    continue
                self.flows[created["id"]] = "Flow"
                new_name = uuid.uuid4().hex
                if self._data(client, "PUT", f"/api/flows/{created['id']}", {"name": new_name}):
                    self.flows[created["id"]] = new_name
                self._data(client, "GET", f"/api/flows/{created['id']}")
                self._data(client, "GET", f"/api/projects/{project_id}/stats")
                self._data(client, "GET", "/health/ready")

    def _data(self, client: BalancedClient, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - the shape depends on the path
        keys = {"Idempotency_Key": uuid.uuid4().hex} if method == "POST" else {}
        try:
            status, response = client.call(method, path, body, **keys)
        except (OSError, HTTPException) as error:
            self.errors.append(f"{method} {path}: {type(error).__name__}: {error}")
            return None
        self.responses += 1
        if status not in {200, 201}:
            self.errors.append(f"{method} {path}: {status} {response}")
            return None
        return response.get("data", response)
