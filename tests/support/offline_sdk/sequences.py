"""Sequences with the results of the client.

`python -m tests.support.offline_sdk.sequences` writes docs/sdk-vectors.json.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.offline_sdk.client import CONFIG, EVENTS, RESOLVE, Client, Reply, Stored, restarted
from tests.support.offline_sdk.matching import Json
from tests.support.offline_sdk.written import DEVICE, SEQUENCES

FILE = Path(__file__).parents[3] / "docs" / "sdk-vectors.json"
_PATHS = {RESOLVE: "resolve", CONFIG: "config", EVENTS: "events"}


class Run:
    """A sequence that runs: the replies, the clock and the client."""

    def __init__(self) -> None:
        self._replies: dict[str, Any] = {}
        self._requests: list[dict[str, Any]] = []
        self._time = 0.0
        self._client = Client(Stored(DEVICE), self._send, lambda: self._time, None)

    def take(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Take a step, and return it with its result."""
        self._replies.update(step.get("given", {}))
        return dict(step) if "do" not in step else {**step, "expect": self._done(step["do"])}

    def _done(self, action: Mapping[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        if "resolve" in action:
            result.update(self._client.resolve(action["resolve"]))
        elif "configure" in action:
            self._client.configure()
        elif "track" in action:
            for _ in range(action.get("count", 1)):
                self._client.track(action["track"])
        elif "flush" in action:
            self._client.flush()
        elif "restart" in action:
            self._client = restarted(self._client, action.get("bundled"))
        else:
            self._client.pass_until(self._time + action["pass"], self._turn)
        stored = self._client.stored
        requests, self._requests = self._requests, []
        return {
            **result,
            "requests": requests,
            "queue": dict(Counter(event["eventType"] for event in stored.queue)),
            "token": stored.token,
            "keptVersion": None if stored.config is None else stored.config["configVersion"],
        }

    def _turn(self, time: float) -> None:
        self._time = time

    def _send(self, method: str, path: str, body: Json | None, headers: Mapping[str, str]) -> Reply:
        name = _PATHS[path]
        shown: dict[str, Any] = {"method": method, "path": path}
        if name == "events" and body is not None:
            shown["events"] = len(body["events"])
        elif name == "config":
            shown["ifNoneMatch"] = headers.get("If-None-Match")
        elif body is not None:
            shown["assignmentToken"] = body.get("assignmentToken")
        self._requests.append(shown)
        reply = self._replies.get(name)
        if reply is None:
            return Reply()
        if reply.get("accepts") and body is not None:
            results = [{"eventId": "any", "status": "accepted"} for _ in body["events"]]
            return Reply(200, {"success": True, "results": results})
        return Reply(reply["status"], reply.get("body"), reply.get("headers", {}))


def sequences() -> list[dict[str, Any]]:
    """Return all sequences with their results."""
    return [{"name": name, "steps": list(map(run.take, steps))} for name, steps in SEQUENCES.items() for run in [Run()]]


def text_of(document: Mapping[str, Any]) -> str:
    """Return the file: a line for each step."""
    lines = []
    for sequence in document["sequences"]:
        steps = ",\n".join(f"      {json.dumps(step, ensure_ascii=False)}" for step in sequence["steps"])
        lines.append(f'    {{"name": {json.dumps(sequence["name"])}, "steps": [\n{steps}\n    ]}}')
    return f'{{\n  "deviceId": {json.dumps(DEVICE)},\n  "sequences": [\n' + ",\n".join(lines) + "\n  ]\n}\n"


if __name__ == "__main__":
    FILE.write_text(text_of({"sequences": sequences()}))
