"""Users of the management service who change and read without pause, and keep what they were answered."""

import threading
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any

from tests.support.clients.balanced_client import BalancedCaller
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.polling import eventually

#: The processor is for the services, which start again all the while, more than for those who ask.
_PAUSE_SECONDS = 0.1


class BusyUsers:
    """Each has a project, and makes, renames, reads and counts flows in it, on instances of the service by turns.

    The lists are only ever added to.
    """

    def __init__(self, ports: Sequence[int], issuer: TokenIssuer) -> None:
        self._ports = ports
        self._issuer = issuer
        self._over = threading.Event()
        self.answered = 0
        #: What was answered or happened that should not have.
        self.wrong: list[str] = []
        #: The flows that the service has said it made, with the names that it has said they have.
        self.flows: dict[str, str] = {}

    @contextmanager
    def at_work(self, users: int) -> Iterator[None]:
        """Have so many of them for the length of the block."""
        with ThreadPoolExecutor(users) as pool:
            work = [pool.submit(self._work, f"user-{number}") for number in range(users)]
            try:
                yield
            finally:
                self._over.set()
            for each in work:
                each.result()

    def answer_more(self) -> None:
        """Wait until they have been answered some more."""
        enough = self.answered + 20
        eventually(lambda: self.answered > enough, within=120)

    def _work(self, name: str) -> None:
        headers = {"Authorization": f"Bearer {self._issuer.token(name)}"}
        with BalancedCaller(self._ports, headers) as caller:
            project_id = self._data(caller, "POST", "/api/projects", {"name": "Busy"})["id"]
            while not self._over.wait(_PAUSE_SECONDS):
                flow = {"projectId": project_id, "name": "Flow", "screens": [{"type": "welcome"}]}
                made = self._data(caller, "POST", "/api/flows", flow)
                if not made:
                    continue
                self.flows[made["id"]] = "Flow"
                new_name = uuid.uuid4().hex
                if self._data(caller, "PUT", f"/api/flows/{made['id']}", {"name": new_name}):
                    self.flows[made["id"]] = new_name
                self._data(caller, "GET", f"/api/flows/{made['id']}")
                self._data(caller, "GET", f"/api/projects/{project_id}/stats")
                self._data(caller, "GET", "/health/ready")

    def _data(self, caller: BalancedCaller, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - the shape depends on the path
        keys = {"Idempotency_Key": uuid.uuid4().hex} if method == "POST" else {}
        try:
            status, answer = caller.call(method, path, body, **keys)
        except (OSError, HTTPException) as error:
            self.wrong.append(f"{method} {path}: {type(error).__name__}: {error}")
            return None
        self.answered += 1
        if status not in {200, 201}:
            self.wrong.append(f"{method} {path}: {status} {answer}")
            return None
        return answer.get("data", answer)
