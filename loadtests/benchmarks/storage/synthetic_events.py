"""Events as a popular app would send them: devices that come for the first time or again, and go through a flow."""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import msgspec

from common.ids import IdPrefix, new_id
from common.wire.stream_records import EventRecord

FLOWS, SCREENS_OF_FLOW = 4, 6
#: Some 5,000 events, the size of a batch of a consumer with a backlog.
SESSIONS_IN_BATCH = 600
EVENTS_IN_BATCH = 5000
#: Of the sessions of a day so many are of devices that were there before.
RETURNING = 0.2
#: A rule of the first screen leads so many devices past the next two, and so many others past the next one.
RULES = {"plan": (5, 3), "known": (3, 2)}
#: Who views a screen goes back once with this probability, and comes to the screen again.
GOING_BACK = 0.05
#: Who views a screen leaves the flow there with this probability.
LEAVING = 0.06


class SyntheticFlow(msgspec.Struct):
    """A flow with its screens; one of them is part of an experiment."""

    flow_id: str
    screen_ids: list[str]
    experiment_id: str | None


def synthetic_flows() -> list[SyntheticFlow]:
    """Return invented flows of a project."""
    experiment_id = new_id(IdPrefix.EXPERIMENT)
    return [
        SyntheticFlow(
            new_id(IdPrefix.FLOW),
            [new_id(IdPrefix.SCREEN) for _ in range(SCREENS_OF_FLOW)],
            experiment_id if number == 0 else None,
        )
        for number in range(FLOWS)
    ]


def synthetic_events(
    project_id: str, flows: list[SyntheticFlow], *, events: int, last_day: date, days: int
) -> Iterator[list[EventRecord]]:
    """Yield the events in batches, in the order of their arrival."""
    random.seed(project_id)
    known = 0
    made = 0
    for day in range(days):
        midnight = datetime.combine(last_day - timedelta(days=days - 1 - day), datetime.min.time(), UTC)
        moment = int(midnight.timestamp() * 1000)
        target = events * (day + 1) // days
        step = 86_000_000 * SESSIONS_IN_BATCH * 8 // max(1, target - made)
        while made < target:
            batch: list[EventRecord] = []
            for _ in range(SESSIONS_IN_BATCH):
                if known and random.random() < RETURNING:
                    device = random.randrange(known)
                else:
                    device = known = known + 1
                batch += _session(project_id, flows, device, moment + random.randrange(max(1, step)))
            batch.sort(key=lambda event: event.occurred_at_ms)
            made += len(batch)
            moment = min(moment + step, int(midnight.timestamp() * 1000) + 86_300_000)
            yield batch


def _session(project_id: str, flows: list[SyntheticFlow], device: int, start: int) -> Iterator[EventRecord]:
    flow = flows[min(device % 7, FLOWS - 1)]
    # Spread over the ids, as those that phones invent are.
    device_id = f"{device * 0x9E3779B97F4A7C15 % 2**64:016x}-{device:08x}"
    variant = "ab"[device % 2] if flow.experiment_id else None
    platform = "ios" if device % 3 else "android"
    session_id = f"s{random.getrandbits(64):016x}"
    moment = start

    def event(event_type: str, screen_id: str | None = None, **properties: object) -> EventRecord:
        return EventRecord(
            project_id, f"{random.getrandbits(128):032x}", event_type, device_id, moment, moment + 300,
            flow.flow_id, screen_id, flow.experiment_id, variant, session_id, platform, "4.2.0",
            {"locale": "pt-BR", "attempt": 1, **properties},
        )  # fmt: skip

    yield event("flow_started")
    before: str | None = None
    rule, first = next((name, past) for name, (part, past) in [*RULES.items(), (None, (1, 1))] if device % part == 0)
    path = [flow.screen_ids[0], *flow.screen_ids[first : 3 + device % 4]]
    for step, screen_id in enumerate(path, 1):
        moment += random.randrange(200, 1500)
        link = {"from_screen_id": before, "rule": rule if before == flow.screen_ids[0] else None, "step": step}
        yield event("screen_viewed", screen_id, **link)
        if random.random() < LEAVING:
            return
        if before is not None and random.random() < GOING_BACK:
            moment += 1000
            yield event("screen_viewed", before, from_screen_id=screen_id, rule=None, step=step - 1, is_back=True)
            moment += 1000
            yield event("screen_viewed", screen_id, **link)
        moment += random.randrange(500, 20_000)
        yield event("screen_completed", screen_id)
        before = screen_id
    moment += 100
    yield event("flow_completed")
