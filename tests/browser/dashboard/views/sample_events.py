"""Events of invented users over the last days, stored as the event consumer stores them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord
from tests.support.data.analytics_events import add_records
from tests.support.servers.local_stack import RunningStack

#: The same users each time.
_SEED = 1843
_SATURDAY = 5
#: Users choose the first options more often.
_POPULARITY = (6, 3, 2, 1, 1, 1)


@dataclass(frozen=True)
class SampleFlow:
    """A flow with its screens as the interface shows them, its share of the users, and its variant.

    `go_on` is the probability that a user completes a screen.
    """

    flow_id: str
    screens: Sequence[dict[str, Any]]
    share: int
    experiment_id: str | None = None
    variant: str | None = None
    go_on: float = 0.91


def store_events(
    stack: RunningStack, project_id: str, flows: Sequence[SampleFlow], *, days: int, users_a_day: int
) -> None:
    """Store the events of the users of the last days; running experiments have started before them."""
    now = datetime.now(UTC)
    rng = random.Random(_SEED)
    engine = create_engine(stack.database_url.replace("postgresql://", "postgresql+psycopg://"))
    try:
        with Session(engine) as session, session.begin():
            started = text("UPDATE experiments SET started_at = :at WHERE project_id = :id AND status = 'running'")
            session.execute(started, {"at": now - timedelta(days=days + 1), "id": project_id})
        for day in range(days, -1, -1):
            with Session(engine) as session, session.begin():
                add_records(session, list(_records_of_day(project_id, now, day, flows, users_a_day, rng)))
    finally:
        engine.dispose()


def _records_of_day(
    project_id: str, now: datetime, day: int, flows: Sequence[SampleFlow], users: int, rng: random.Random
) -> Iterator[StreamRecord]:
    """Yield the records of a day's new users, of whom there are fewer at the end of the week."""
    end = now - timedelta(days=day)
    quiet = 0.7 if end.weekday() >= _SATURDAY else 1
    for number in range(max(1, round(users * quiet * rng.uniform(0.85, 1.15)))):
        [flow] = rng.choices(flows, [flow.share for flow in flows])
        started = end - timedelta(minutes=rng.uniform(10, 600))
        yield from _records_of_user(project_id, f"device-{day}-{number}", flow, started, rng)


def _records_of_user(
    project_id: str, device: str, flow: SampleFlow, started: datetime, rng: random.Random
) -> Iterator[StreamRecord]:
    """Yield the records of a user who goes through a flow, to its end or to a screen before."""
    moment = int(started.timestamp() * 1000)
    platform = rng.choice(("ios", "ios", "android"))
    names = {"experiment_id": flow.experiment_id, "variant": flow.variant, "platform": platform}
    yield ExposureRecord(project_id, device, flow.flow_id, moment, **names)

    def record(event_type: str, at: int, screen_id: str | None = None, **properties: Any) -> EventRecord:  # noqa: ANN401
        return EventRecord(
            project_id,
            f"{device}-{event_type}-{screen_id}",
            event_type,
            device,
            at,
            at,
            flow_id=flow.flow_id,
            screen_id=screen_id,
            session_id=f"{device}-1",
            app_version=rng.choice(("2.3.0", "2.4.0", "2.4.1")),
            properties=properties,
            **names,
        )

    yield record("flow_started", moment)
    for screen in flow.screens:
        yield record("screen_viewed", moment, screen["id"])
        moment += round(rng.lognormvariate(1.6, 0.6) * 1000)
        if rng.random() > flow.go_on:
            return
        if answer := _answer(screen, rng):
            yield record("question_answered", moment, screen["id"], answer=answer)
        yield record("screen_completed", moment, screen["id"])
    yield record("flow_completed", moment)


def _answer(screen: dict[str, Any], rng: random.Random) -> str | list[str] | None:
    """Return the answer of a user to a question, or None for another screen."""
    options = [option["value"] for option in screen["content"].get("options", ())]
    match screen["type"]:
        case "question_single_choice":
            return str(rng.choices(options, _POPULARITY[: len(options)])[0])
        case "question_multiple_choice":
            return sorted(set(rng.choices(options, _POPULARITY[: len(options)], k=2)))
    return None
