"""Editors who write, publish and restore flows concurrently, each as another user, and log their changes."""

import contextlib
import random
import threading
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx

#: The pause between the attempts of a request to a killed process.
_PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Edit:
    """A rename of a flow: its user, and the name that the user read before."""

    user: int
    former_name: str


@dataclass
class EditLog:
    """The changes of all editors. Names are unique, so a name in a version identifies the change."""

    #: All edits that were sent, by the new name; a killed process may have executed one without an answer.
    sent: dict[str, Edit] = field(default_factory=dict)
    #: (flow id, name) of the acknowledged direct writes.
    direct: list[tuple[str, str]] = field(default_factory=list)
    #: (flow id, number, name) of the acknowledged publications and restores.
    versions: list[tuple[str, int, str]] = field(default_factory=list)
    retries: int = 0
    refused: int = 0


class FlowEditors:
    """Editors with a connection each; a draft belongs to one editor, direct writes and restores to all."""

    def __init__(self, url: str, tokens: Sequence[str], flow_ids: Sequence[str]) -> None:
        self.log = EditLog()
        self._url = url
        self._tokens = tokens
        self._flow_ids = flow_ids
        self._stop = threading.Event()
        self._failures: list[BaseException] = []

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run the editors during the block."""
        with ThreadPoolExecutor(len(self._tokens)) as pool:
            work = [pool.submit(self._edit, number, token) for number, token in enumerate(self._tokens)]
            try:
                yield
            finally:
                self._stop.set()
            for editor in work:
                editor.result()

    def _edit(self, user: int, token: str) -> None:
        rng = random.Random(user)
        own = self._flow_ids[user :: len(self._tokens)]
        with httpx.Client(
            base_url=f"{self._url}/api", headers={"Authorization": f"Bearer {token}"}, timeout=10
        ) as client:
            while not self._stop.is_set():
                self._write(client, user, rng.choice(self._flow_ids))
                if own and rng.random() < 0.5:
                    self._publish(client, user, rng.choice(own))
                else:
                    self._restore(client, rng.choice(self._flow_ids), rng)

    def _write(self, client: httpx.Client, user: int, flow_id: str) -> None:
        """Rename a flow if it still is as it was read."""
        shown = self._send(client, "GET", f"/flows/{flow_id}")
        name = self._new_name(user, shown.json()["data"]["name"])
        try:
            renamed = client.put(f"/flows/{flow_id}", json={"name": name}, headers={"If-Match": shown.headers["ETag"]})
        except httpx.TransportError:
            return
        if renamed.is_success:
            self.log.direct.append((flow_id, name))
        else:
            self.log.refused += 1

    def _publish(self, client: httpx.Client, user: int, flow_id: str) -> None:
        """Publish a changed copy of the newest version."""
        newest = self._newest(client, flow_id)
        document = newest["document"]
        name = self._new_name(user, document["name"])
        body = {"document": {**document, "name": name}, "base_version": newest["number"]}
        if not self._send(client, "PUT", f"/flows/{flow_id}/draft", body).is_success:
            return
        # Until a draft refers to it, a version may be replaced by its user; the number stays the same.
        base = self._send(client, "GET", f"/flows/{flow_id}/versions/{newest['number']}")
        if base.is_success and base.json()["data"]["document"]["name"] == document["name"]:
            self._keep_version(self._send(client, "POST", f"/flows/{flow_id}/publish", {"ignore_warnings": True}))

    def _restore(self, client: httpx.Client, flow_id: str, rng: random.Random) -> None:
        number = rng.randint(1, self._newest(client, flow_id)["number"])
        self._keep_version(self._send(client, "POST", f"/flows/{flow_id}/versions/{number}/restore", {}))

    def _keep_version(self, response: httpx.Response) -> None:
        if response.status_code == httpx.codes.CREATED:
            version = response.json()["data"]
            self.log.versions.append((version["flow_id"], version["number"], version["document"]["name"]))
        else:
            assert response.status_code == httpx.codes.CONFLICT, response.text
            self.log.refused += 1

    def _newest(self, client: httpx.Client, flow_id: str) -> dict[str, Any]:
        listed = self._send(client, "GET", f"/flows/{flow_id}/versions?limit=1").json()["data"]
        shown = self._send(client, "GET", f"/flows/{flow_id}/versions/{listed[0]['number']}").json()["data"]
        return dict(shown)

    def _new_name(self, user: int, former_name: str) -> str:
        name = uuid.uuid4().hex
        self.log.sent[name] = Edit(user, former_name)
        return name

    def _send(self, client: httpx.Client, method: str, path: str, body: object = None) -> httpx.Response:
        """Send a request until a process answers; a POST has the same `Idempotency-Key` each time."""
        headers = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
        while True:
            with contextlib.suppress(httpx.TransportError):
                response = client.request(method, path, json=body, headers=headers)
                if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return response
            self.log.retries += 1
            self._stop.wait(_PAUSE_SECONDS)
