"""Users who change flows through instances of two releases, and log each change with the state that they saw before."""

import json
import random
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from tests.support.clients.balanced_client import BalancedClient
from tests.support.polling import eventually

#: Refusals after which a client reads the state again or waits: conflicts, preconditions, unavailable.
_RETRYABLE = {409, 412, 429, 503}
_PAUSE_SECONDS = 0.02
_HELLO = {"type": "welcome", "content": {"title": "Hello"}}


@dataclass
class ReleaseLog:
    """The changes of all editors. A text is the name of a flow or the title of a screen, and is used once."""

    #: All texts that were sent, with the text that was read before.
    sent: dict[str, str] = field(default_factory=dict)
    #: The acknowledged texts by the id of their flow or screen.
    acknowledged: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    created: list[str] = field(default_factory=list)
    published: int = 0
    writes: int = 0
    refused: Counter[int] = field(default_factory=Counter)
    #: Unexpected responses and errors, which a client cannot retry.
    wrong: list[str] = field(default_factory=list)
    #: The seconds of each write, by the time of its end.
    durations: list[tuple[float, float]] = field(default_factory=list)

    def slowest_since(self, moment: float) -> float:
        """Return the seconds of the slowest write that ended after a time of the monotonic clock."""
        return max(seconds for at, seconds in self.durations if at >= moment)


class ReleaseEditors:
    """Editors with a token each; they use the instances of `ports` in turn, and those of `newest` for drafts only."""

    def __init__(self, tokens: Sequence[str], project_id: str, flow_ids: Sequence[str], ports: Sequence[int]) -> None:
        self.log = ReleaseLog()
        self.ports = tuple(ports)
        self.newest: tuple[int, ...] = ()
        self._tokens = tokens
        self._project_id = project_id
        self._flow_ids = flow_ids
        self._stop = threading.Event()

    @contextmanager
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

    def wait_for_writes(self, writes: int) -> None:
        """Wait until this number of further changes is acknowledged."""
        enough = self.log.writes + writes
        eventually(lambda: self.log.writes >= enough, within=300)

    def _edit(self, number: int, token: str) -> None:
        rng = random.Random(number)
        headers = {"Authorization": f"Bearer {token}"}
        while not self._stop.is_set():
            ports, newest = self.ports, self.newest
            with BalancedClient(ports, headers) as any_release, BalancedClient(newest, headers) as new_release:
                while not self._stop.wait(_PAUSE_SECONDS) and (ports, newest) == (self.ports, self.newest):
                    flow_id = rng.choice(self._flow_ids)
                    choice = rng.random()
                    if newest and choice < 0.3 and self._flow_ids.index(flow_id) % len(self._tokens) == number:
                        # A draft belongs to one editor.
                        self._publish(new_release, flow_id)
                    elif choice < 0.4:
                        self._create(any_release)
                    elif choice < 0.7:
                        self._rename(any_release, flow_id)
                    else:
                        self._retitle(any_release, flow_id)

    def _rename(self, client: BalancedClient, flow_id: str) -> None:
        """Change the name of a flow if the flow is as it was read."""
        flow = self._call(client, "GET", f"/api/flows/{flow_id}")
        if flow:
            name = self._new_text(flow["name"])
            if self._write(client, "PUT", f"/api/flows/{flow_id}", {"name": name}, If_Match=flow["tag"]):
                self.log.acknowledged[flow_id].append(name)

    def _retitle(self, client: BalancedClient, flow_id: str) -> None:
        """Change the title of a flow's first screen if the flow is as it was read."""
        flow = self._call(client, "GET", f"/api/flows/{flow_id}")
        if flow:
            screen = flow["screens"][0]
            shown = self._call(client, "GET", f"/api/screens/{screen['id']}")
            if shown:
                title = self._new_text(shown["content"]["title"])
                body = {"content": {"title": title}}
                if self._write(client, "PUT", f"/api/screens/{screen['id']}", body, If_Match=shown["tag"]):
                    self.log.acknowledged[screen["id"]].append(title)

    def _create(self, client: BalancedClient) -> None:
        body = {"projectId": self._project_id, "name": "New", "screens": [_HELLO]}
        if flow := self._write(client, "POST", "/api/flows", body, Idempotency_Key=uuid.uuid4().hex):
            self.log.created.append(flow["id"])

    def _publish(self, client: BalancedClient, flow_id: str) -> None:
        """Publish a changed copy of the newest version."""
        path = f"/api/flows/{flow_id}"
        listed = self._call(client, "GET", f"{path}/versions?limit=1")
        if not listed:
            return
        number = listed[0]["number"]
        newest = self._call(client, "GET", f"{path}/versions/{number}")
        name = self._new_text(newest["document"]["name"])
        draft = {"document": {**newest["document"], "name": name}, "base_version": number}
        if not self._call(client, "PUT", f"{path}/draft", draft):
            return
        # Until a draft refers to it, a version may be replaced by its user; the number stays the same.
        base = self._call(client, "GET", f"{path}/versions/{number}")
        if base and base["document"] == newest["document"]:
            body = {"ignore_warnings": True}
            if self._write(client, "POST", f"{path}/publish", body, Idempotency_Key=uuid.uuid4().hex):
                self.log.acknowledged[flow_id].append(name)
                self.log.published += 1

    def _new_text(self, former: str) -> str:
        text = uuid.uuid4().hex
        self.log.sent[text] = former
        return text

    def _write(self, client: BalancedClient, method: str, path: str, body: object, **headers: str) -> Any:  # noqa: ANN401 - the shape depends on the path
        started = time.monotonic()
        data = self._call(client, method, path, body, **headers)
        ended = time.monotonic()
        self.log.durations.append((ended, ended - started))
        self.log.writes += data is not None
        return data

    def _call(self, client: BalancedClient, method: str, path: str, body: object = None, **headers: str) -> Any:  # noqa: ANN401 - the shape depends on the path
        """Return the data of a success with its entity tag, None for a refusal that a client can retry."""
        try:
            status, response, tag = client.call_with_tag(method, path, body, **headers)
        except (OSError, HTTPException) as error:
            self.log.wrong.append(f"{method} {path}: {type(error).__name__}: {error}")
            return None
        if status in {200, 201}:
            data = response["data"]
            return {**data, "tag": tag} if isinstance(data, dict) else data
        if status in _RETRYABLE:
            self.log.refused[status] += 1
        else:
            self.log.wrong.append(f"{method} {path}: {status} {json.dumps(response)[:300]}")
        return None


def lost_updates(log: ReleaseLog, item_id: str, live_text: str, first_text: str) -> list[str]:
    """Return the acknowledged texts that do not lead from the first text to the live one, each made from the last."""
    kept: set[str] = set()
    text = live_text
    while text != first_text:
        kept.add(text)
        text = log.sent[text]
    return [text for text in log.acknowledged[item_id] if text not in kept]
