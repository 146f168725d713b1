"""The funnel and the answers of a flow whose pages report, without work of the app (contract, section 8, The page)."""

import uuid
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from statistics import median
from typing import Any

import httpx

from common.timestamps import format_timestamp, utc_now
from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.polling import eventually

VISITS = 100
SCREENS = [
    {"type": "welcome", "content": {"title": "Hello"}},
    {"type": "question_single_choice", "content": {"question": "Goal?", "options": ["fit", "calm"]}},
    {"type": "question_picker", "content": {"question": "Height?", "picker": "height"}},
]


class Visit:
    """A device that leaves the flow after some of its screens, and the batch that its pages report."""

    def __init__(self, flow: dict[str, Any], number: int, rng: Random) -> None:
        self.screens = flow["screens"]
        self.completed_screens = rng.randint(0, len(self.screens))
        self.skips = self.completed_screens < len(self.screens) and rng.random() < 0.5
        self.seconds = [rng.randint(1, 20) for _ in self.screens]
        self.goal = rng.choice(["fit", "calm"])
        self.height = str(rng.randint(150, 200))
        self._members = {"deviceId": f"visitor-{number}", "flowId": flow["id"], "sessionId": uuid.uuid4().hex}

    @property
    def is_complete(self) -> bool:
        return self.completed_screens == len(self.screens)

    def events(self) -> list[dict[str, Any]]:
        """Return the events in the order in which the page makes them."""
        at = utc_now() - timedelta(minutes=2)
        events = [self._event("flow_started", at)]
        for screen, seconds in zip(self.screens[: self.completed_screens + 1], self.seconds, strict=False):
            events.append(self._event("screen_viewed", at, screenId=screen["id"]))
            if self.screens.index(screen) >= self.completed_screens:
                break
            at += timedelta(seconds=seconds)
            answer = {self.screens[1]["id"]: self.goal, self.screens[2]["id"]: [self.height]}.get(screen["id"])
            if answer is not None:
                properties = {"answer_key": "key", "question_type": screen["type"], "answer": answer}
                events.append(self._event("question_answered", at, screenId=screen["id"], properties=properties))
            events.append(self._event("screen_completed", at, screenId=screen["id"]))
        if self.is_complete or self.skips:
            events.append(self._event("flow_completed" if self.is_complete else "flow_skipped", at))
        return events

    def _event(self, event_type: str, at: datetime, **members: object) -> dict[str, Any]:
        own = {"eventType": event_type, "eventId": uuid.uuid4().hex, "timestamp": format_timestamp(at)}
        return {**own, **self._members, **members}


def test_funnel_and_responses_equal_what_a_hundred_visits_did(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    project = dashboard.post("/projects", {"name": "Hosted"})
    dashboard.put(f"/projects/{project['id']}", {"settings": {"record_answers": True}})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    members = {"name": "Welcome", "status": "active", "is_default": True, "screens": SCREENS}
    flow = dashboard.post("/flows", {"projectId": project["id"], **members})
    phone = Phone(http, addresses.edge_url, project["id"], key)
    eventually(lambda: flow["id"] in phone.config().text, within=30)
    visits = [Visit(flow, number, Random(number)) for number in range(VISITS)]
    events = [event for visit in visits for event in visit.events()]
    for start in range(0, len(events), 400):
        batch = events[start : start + 400]
        # A page that does not see the answer sends its events again.
        for _ in range(2):
            assert len(phone.report_batch(batch)) == len(batch)

    path = f"/analytics/funnel?flowId={flow['id']}&period=1d"
    complete = sum(visit.is_complete for visit in visits)

    def finished_funnel() -> dict[str, Any] | None:
        funnel: dict[str, Any] = dashboard.get(path)
        return funnel if (funnel["started"], funnel["completed"]) == (VISITS, complete) else None

    funnel = eventually(finished_funnel, within=30)
    reached = [sum(visit.completed_screens >= order for visit in visits) for order in range(len(SCREENS))]
    completed = [sum(visit.completed_screens > order for visit in visits) for order in range(len(SCREENS))]
    assert [screen["reached"] for screen in funnel["screens"]] == reached
    assert [screen["completed"] for screen in funnel["screens"]] == completed
    assert [screen["drop_off"] for screen in funnel["screens"]] == [
        first - second for first, second in zip(reached, completed, strict=True)
    ]
    assert [screen["median_seconds"] for screen in funnel["screens"]] == [
        median(visit.seconds[order] for visit in visits if visit.completed_screens > order)
        for order in range(len(SCREENS))
    ]

    goal, height = dashboard.get(f"/analytics/responses?flowId={flow['id']}&period=1d")["questions"]
    goals = Counter(visit.goal for visit in visits if visit.completed_screens > 1)
    assert {value["value"]: value["count"] for value in goal["distribution"]} == goals
    heights = [int(visit.height) for visit in visits if visit.completed_screens > 2]
    assert (height["answers"], height["numbers"]["median"]) == (len(heights), median(heights))
    assert height["numbers"]["mean"] == sum(heights) / len(heights)
