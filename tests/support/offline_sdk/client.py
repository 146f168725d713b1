"""A client over any transport, implemented from docs/write-an-sdk.md; imports nothing of the service.

It takes no time of its own: a transport replies at once or never, and the clock is turned by the caller.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.offline_sdk.deciding import Kept, decide
from tests.support.offline_sdk.matching import Json

RESOLVE, CONFIG, EVENTS = "/api/onboarding/resolve", "/api/config", "/api/analytics/events"
MAX_EVENTS, BATCH_EVENTS = 1_000, 50
CONFIG_SECONDS = 60.0
#: Where random numbers are 0.5: half of the longest wait.
JITTER = 0.5
_FIRST_BACKOFF, _LONGEST_BACKOFF = 0.5, 30.0
_ENDS = {"flow_started", "flow_completed", "flow_skipped"}
_BUILT_IN = ("screen_", "flow_", "question_", "permission_", "paywall_", "signup_", "purchase", "trial_started")
_REPEATED = {401, 403, 408, 429}


@dataclass(frozen=True)
class Reply:
    """A reply. The status is 0 without one; the body is None if it is no JSON object."""

    status: int = 0
    body: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


#: Sends a request: method, path, body and headers.
Transport = Callable[[str, str, Json | None, Mapping[str, str]], Reply]


@dataclass
class Stored:
    """The state that a client keeps on the device."""

    device_id: str
    token: str | None = None
    #: The experiment, the variant and its salt, None until a configuration of `version` is there.
    assignment: tuple[str, str, str | None] | None = None
    assignment_version: int = 0
    resolved: Json | None = None
    config: Json | None = None
    etag: str = ""
    queue: list[Json] = field(default_factory=list)


class Client:
    """One start of an app."""

    def __init__(self, stored: Stored, transport: Transport, now: Callable[[], float], bundled: Json | None) -> None:
        self.stored = stored
        self._transport = transport
        self._now = now
        self._bundled = bundled
        self._configured_at = float("-inf")
        self._resolves_at = 0.0
        self._failures = 0
        self._batch = BATCH_EVENTS
        self._not_before = 0.0
        #: The time of the next attempt after a failure.
        self.next_at: float | None = None

    def resolve(self, device: Json) -> Json:
        """Return the flow with its origin."""
        known = {"deviceId": self.stored.device_id, **device}
        return self._ask(known) or self._known(known)

    def configure(self) -> None:
        """Fetch the configuration, at most once a minute."""
        stored = self.stored
        if self._now() - self._configured_at < CONFIG_SECONDS:
            return
        self._configured_at = self._now()
        reply = self._transport("GET", CONFIG, None, {"If-None-Match": stored.etag} if stored.etag else {})
        body = reply.body
        if reply.status != 200 or body is None or not _is_configuration(body):
            return
        if stored.config is None or body["configVersion"] >= stored.config["configVersion"]:
            stored.config, stored.etag = body, reply.headers.get("ETag", "")
            kept = stored.assignment
            if kept and kept[2] is None and body["configVersion"] >= stored.assignment_version:
                stored.assignment = (kept[0], kept[1], _salt(body, kept[0]))

    def track(self, event_type: str) -> None:
        """Add an event to the queue."""
        self.stored.queue.append({"eventType": event_type})
        self._make_room()

    def flush(self) -> None:
        """Send all events, until one request fails."""
        while self.stored.queue and self._send():
            pass

    def pass_until(self, end: float, turn: Callable[[float], None]) -> None:
        """Repeat failed requests until a time. `turn` sets the clock."""
        while self.next_at is not None and self.next_at <= end:
            turn(self.next_at)
            self.next_at = None
            self.flush()
        turn(end)

    def _ask(self, device: Json) -> Json | None:
        stored = self.stored
        if self._now() < self._resolves_at:
            return None
        token = {"assignmentToken": stored.token} if stored.token else {}
        reply = self._transport("POST", RESOLVE, {**device, **token}, {})
        self._resolves_at = self._now() + _retry_after(reply)
        answer = _answer(reply)
        if answer is None:
            return None
        stored.resolved = answer
        if answer["source"] == "experiment" and reply.body is not None:
            assignment, version = reply.body["assignment"], answer["configVersion"]
            is_new_enough = stored.config is not None and stored.config["configVersion"] >= version
            salt = _salt(stored.config, assignment["experimentId"]) if is_new_enough and stored.config else None
            stored.token = assignment["token"] or stored.token
            stored.assignment = (assignment["experimentId"], assignment["variant"], salt)
            stored.assignment_version = version
        if stored.config is None or stored.config["configVersion"] < answer["configVersion"]:
            self.configure()
        return {**answer, "origin": "network"}

    def _known(self, device: Json) -> Json:
        if self.stored.resolved is not None:
            return {**self.stored.resolved, "origin": "stored"}
        for config, origin in ((self.stored.config, "offline"), (self._bundled, "bundled")):
            if config is not None and _is_configuration(config):
                return {**self._decided(config, device), "origin": origin}
        return {**_nothing(0), "origin": "offline"}

    def _decided(self, config: Json, device: Json) -> Json:
        stored = self.stored
        kept = stored.assignment
        decision = decide(config, device, Kept(kept[0], kept[1], kept[2]) if kept and kept[2] else None)
        if decision is None:
            return _nothing(config["configVersion"])
        if decision.experiment_id and decision.variant and (kept is None or kept[2] is not None):
            stored.assignment = (decision.experiment_id, decision.variant, _salt(config, decision.experiment_id))
            stored.assignment_version = config["configVersion"]
        return {
            "flowId": decision.flow_id,
            "source": decision.source,
            "variant": decision.variant,
            "configVersion": config["configVersion"],
        }

    def _send(self) -> bool:
        stored = self.stored
        if self._now() < self._not_before:
            return False
        batch = stored.queue[: self._batch]
        reply = self._transport("POST", EVENTS, {"events": batch}, {})
        halves = reply.status == 413 or (reply.status == 400 and _is_error(reply))
        is_error = reply.status == 413 or _is_error(reply)
        is_final = 400 <= reply.status < 500 and reply.status not in _REPEATED and is_error
        if _settles(reply, len(batch)) or (is_final and (not halves or len(batch) == 1)):
            stored.queue = stored.queue[len(batch) :]
            self._failures, self.next_at = 0, None
            self._batch = self._batch if stored.queue else BATCH_EVENTS
            return True
        if halves:
            self._batch = len(batch) // 2
            return True
        self._failures += 1
        wait = _retry_after(reply)
        self._not_before = self._now() + wait if wait else 0.0
        longest = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2**self._failures)
        self.next_at = self._now() + wait + JITTER * longest
        return False

    def _make_room(self) -> None:
        queue = self.stored.queue
        surplus = len(queue) - MAX_EVENTS
        if surplus > 0:
            custom = [event for event in queue if not event["eventType"].startswith(_BUILT_IN)]
            others = [event for event in queue if event not in custom and event["eventType"] not in _ENDS]
            dropped = {id(event) for event in (custom + others)[:surplus]}
            self.stored.queue = [event for event in queue if id(event) not in dropped]


def restarted(client: Client, bundled: Json | None) -> Client:
    """Return the next start of an app, with what the last one has stored."""
    return Client(replace(client.stored), client._transport, client._now, bundled)  # noqa: SLF001 - the same class


def _answer(reply: Reply) -> Json | None:
    body = reply.body or {}
    if reply.status == 404 and body.get("code") == "INVALID_FLOW":
        return _nothing(0)
    flow, assignment = body.get("flow"), body.get("assignment")
    if reply.status != 200 or not isinstance(flow, dict) or not isinstance(assignment, dict):
        return None
    screens = flow.get("screens")
    if not flow.get("id") or not isinstance(screens, list):
        return None
    if not all(isinstance(screen, dict) and screen.get("id") and screen.get("type") for screen in screens):
        return None
    return {
        "flowId": flow["id"],
        "source": assignment["source"],
        "variant": assignment.get("variant"),
        "configVersion": body["configVersion"],
    }


def _nothing(version: int) -> Json:
    return {"flowId": None, "source": None, "variant": None, "configVersion": version}


def _is_configuration(body: Json) -> bool:
    settings = body.get("settings")
    return (
        isinstance(body.get("configVersion"), int)
        and isinstance(body.get("flows"), list)
        and isinstance(body.get("experiments"), list)
        and isinstance(settings, dict)
        and isinstance(settings.get("platforms"), list)
    )


def _salt(config: Json, experiment_id: str) -> str | None:
    experiments: list[dict[str, Any]] = config["experiments"]
    return next((each["variantSalt"] for each in experiments if each["id"] == experiment_id), None)


def _is_error(reply: Reply) -> bool:
    return reply.body is not None and reply.body.get("success") is False and bool(reply.body.get("code"))


def _settles(reply: Reply, sent: int) -> bool:
    body = reply.body or {}
    return 200 <= reply.status < 300 and body.get("success") is True and len(body.get("results") or ()) == sent


def _retry_after(reply: Reply) -> float:
    text = reply.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0
