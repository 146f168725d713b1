"""The requests of an app during one session of its user, as a script that any HTTP client can play.

The script yields requests and receives the responses, because the next request depends on them. `pause` is the seconds
before a request, in which a person reads.
"""

import random
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from loadtests.mobile.phone import Phone

#: Of a hundred sessions: those that complete the flow, skip it, and send their events in a batch.
_COMPLETE, _SKIP, _COLLECT = 70, 15, 40
_READING_SECONDS = (0.5, 4.0)
_AT_ONCE = 0.0
_OK, _CREATED, _NOT_MODIFIED = 200, 201, 304

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A request, the seconds before it, and the expected statuses."""

    method: str
    path: str
    expected_statuses: tuple[int, ...]
    pause: float = _AT_ONCE
    body: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AppResponse:
    """A response; `document` is empty without JSON. An unexpected status ends the session."""

    status: int
    document: Json
    tag: str | None = None


Script = Generator[Request, AppResponse, None]


def session(phone: Phone, rng: random.Random) -> Script:
    """Play one session: configuration, resolve, then the events of a user who completes the flow, or leaves it."""
    known = {"If-None-Match": phone.config_tag} if phone.config_tag else {}
    config = yield Request("GET", "/api/config", (_OK, _NOT_MODIFIED), headers=known)
    phone.config_tag = config.tag or phone.config_tag
    resolved = yield Request("POST", "/api/onboarding/resolve", (_OK,), body=_resolve_body(phone))
    phone.assignment_token = resolved.document["assignment"]["token"]
    events = _events(phone, resolved.document, rng)
    if rng.randrange(100) < _COLLECT:
        collected = list(events)
        # An SDK that collects events sends them when the app goes to the background.
        body = {"events": [event for _, event in collected]}
        pause = sum(pause for pause, _ in collected)
        yield Request("POST", "/api/analytics/events", (_OK,), pause, body)
    else:
        for pause, event in events:
            yield Request("POST", "/api/analytics/event", (_CREATED,), pause, event)


def _resolve_body(phone: Phone) -> Json:
    body: Json = {
        "deviceId": phone.device_id,
        "platform": phone.platform,
        "osVersion": phone.os_version,
        "appVersion": phone.app_version,
        "locale": phone.locale,
        "country": phone.locale[-2:],
    }
    return body if phone.assignment_token is None else {**body, "assignmentToken": phone.assignment_token}


def _events(phone: Phone, resolved: Json, rng: random.Random) -> Iterator[tuple[float, Json]]:
    """Yield the events of a user in the flow, each with the seconds before it."""
    common = {
        "deviceId": phone.device_id,
        "flowId": resolved["flowId"],
        "sessionId": f"{rng.getrandbits(64):016x}",
        "platform": phone.platform,
        "appVersion": phone.app_version,
    }
    outcome = rng.randrange(100)
    screens = resolved["flow"]["screens"]
    seen = screens if outcome < _COMPLETE else screens[: rng.randint(1, max(1, len(screens)))]
    yield _AT_ONCE, {**common, "eventType": "flow_started"}
    for screen in seen:
        yield _AT_ONCE, {**common, "eventType": "screen_viewed", "screenId": screen["id"]}
        reading = rng.uniform(*_READING_SECONDS)
        if screen["type"].startswith("question"):
            answered = {"eventType": "question_answered", "properties": {"answer": rng.choice("abc")}}
            yield reading, {**common, **answered, "screenId": screen["id"]}
            reading = _AT_ONCE
        yield reading, {**common, "eventType": "screen_completed", "screenId": screen["id"]}
    if outcome < _COMPLETE:
        yield _AT_ONCE, {**common, "eventType": "flow_completed"}
    elif outcome < _COMPLETE + _SKIP:
        yield _AT_ONCE, {**common, "eventType": "flow_skipped"}
