"""Thirty days of users for the demo project, stored by the event consumer's own code.

Each device follows the rules of its flow, as a hosted page does, and may leave at any screen. The same project always
gets the same history.
"""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr
from sqlalchemy import text

from cli.connections import server_errors_as_one_line
from cli.demo.project import DemoContent, read_demo_content
from common.rules.conditions import Condition, compile_conditions
from common.settings.shared import DatabaseSettings
from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord, encode_record
from management_api.db.engine import Database
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry

DAYS = 30
_SEED = 20_261_124
#: Mean numbers of new users of a day, less at weekends.
_WEEKDAY_USERS, _WEEKEND_USERS = 34, 22
_RUNNING_DAYS, _DECIDED_FROM, _DECIDED_TO = 12, 28, 14
_PLATFORMS = (("ios", 0.58), ("android", 0.42))
#: The version of the app on a day: `ago` counts days back.
_VERSIONS = ((20, "2.0.0"), (7, "2.0.1"), (0, "2.1.0"))
#: The share of users who leave at a screen of a type; those without are 0.04.
_LEAVES = {"paywall": 0.3, "signup": 0.2, "permissions": 0.06, "question_text": 0.09, "question_picker": 0.07}
#: The share of users of a paywall who buy, by variant.
_BUYS = {"tour": 0.32, "quiz": 0.5}
#: Users of the demo project begin in these flows, with these weights; the rest are of experiments.
_FLOW_WEIGHTS = (("Welcome", 0.66), ("Feature tour", 0.18), ("Personalised plan", 0.16))
#: The share of users who go on to the end, by variant, beside what screens take; it makes a difference to find.
_PATIENCE = {"tour": 0.93, "quiz": 0.97, "question": 0.985}


@dataclass(frozen=True, slots=True)
class _Visit:
    """One device in one flow."""

    project_id: str
    flow: Mapping[str, Any]
    device_id: str
    began: datetime
    platform: str
    version: str
    experiment_id: str | None = None
    variant: str | None = None


def store_demo_history(management_url: str, token: str, project_id: str, database_url: str) -> bool:
    """Store the history of the demo project of a running service. Return whether it was stored."""
    content = read_demo_content(management_url, token, project_id)
    settings = DatabaseSettings(database_url=SecretStr(database_url))
    with server_errors_as_one_line(), closing(Database(settings)) as database:
        return store_history(database, content, datetime.now(UTC))


def store_history(database: Database, content: DemoContent, now: datetime) -> bool:
    """Store the history unless the project has events. Return whether it was stored.

    The experiments get the times at which they would have been started and ended. It takes about two seconds.
    """
    with database.transaction() as session:
        found = session.execute(
            text("SELECT 1 FROM events WHERE project_id = :id LIMIT 1"), {"id": content.project_id}
        ).first()
        if found:
            return False
        for experiment in content.experiments.values():
            is_decided = experiment["status"] == "completed"
            session.execute(
                text("UPDATE experiments SET started_at = :started, ended_at = :ended WHERE id = :id"),
                {
                    "id": experiment["id"],
                    "started": now - timedelta(days=_DECIDED_FROM if is_decided else _RUNNING_DAYS),
                    "ended": now - timedelta(days=_DECIDED_TO) if is_decided else None,
                },
            )
    moment = int(now.timestamp() * 1000)
    entries = [
        StreamEntry("demo", f"{moment}-{place}", encode_record(record))
        for place, record in enumerate(_records(content, now))
    ]
    BatchStore(database).store(entries, waits=True)
    with database.transaction() as session:
        # The chore may have counted the users of the decided experiment before they were there.
        session.execute(
            text("DELETE FROM experiment_counts WHERE experiment_id = ANY(:ids)"),
            {"ids": [experiment["id"] for experiment in content.experiments.values()]},
        )
    return True


def _records(content: DemoContent, now: datetime) -> Iterator[StreamRecord]:
    """Yield the exposures and events of all days up to now."""
    chance = random.Random(_SEED)  # noqa: S311 - a demo, the same each time
    for ago in reversed(range(DAYS)):
        day = (now - timedelta(days=ago)).replace(hour=0, minute=0, second=0, microsecond=0)
        usual = _WEEKDAY_USERS if day.weekday() < 5 else _WEEKEND_USERS  # noqa: PLR2004 - Monday to Friday
        # The app grows.
        for number in range(round(usual * (1.25 - ago / 60) * chance.uniform(0.85, 1.15))):
            began = day + timedelta(hours=min(23.5, max(0, chance.gauss(15, 4.5))), seconds=chance.uniform(0, 1800))
            # A visit takes some minutes.
            if began < now - timedelta(minutes=10):
                yield from _visit_records(_visit(content, chance, began, ago, number), chance)


def _visit(content: DemoContent, chance: random.Random, began: datetime, ago: int, number: int) -> _Visit:
    device_id = f"demo-{began:%m%d}-{number}"
    platform = _weighted(chance, _PLATFORMS)
    version = next(version for since, version in _VERSIONS if ago >= since or since == 0)
    draw = chance.random()
    for experiment in content.experiments.values():
        is_decided = experiment["status"] == "completed"
        days, share = (range(_DECIDED_TO + 1, _DECIDED_FROM), 1.0) if is_decided else (range(_RUNNING_DAYS), 0.5)
        if ago in days and draw < share:
            variant = chance.choice(experiment["variants"])
            flow = next(flow for flow in content.flows.values() if flow["id"] == variant["flow_id"])
            return _Visit(
                content.project_id, flow, device_id, began, platform, version, experiment["id"], variant["key"]
            )
    flow = content.flows[_weighted(chance, _FLOW_WEIGHTS)]
    return _Visit(content.project_id, flow, device_id, began, platform, version)


def _visit_records(visit: _Visit, chance: random.Random) -> Iterator[StreamRecord]:
    began = _milliseconds(visit.began)
    yield ExposureRecord(
        visit.project_id, visit.device_id, visit.flow["id"], began, visit.experiment_id, visit.variant, visit.platform
    )
    elapsed = 400
    for number, (event_type, screen_id, properties, seconds) in enumerate(_steps(visit, chance)):
        yield EventRecord(
            visit.project_id,
            f"{visit.device_id}-{number}",
            event_type,
            visit.device_id,
            began + elapsed,
            began + elapsed,
            visit.flow["id"],
            screen_id,
            visit.experiment_id,
            visit.variant,
            f"{visit.device_id}-session",
            visit.platform,
            visit.version,
            properties,
        )
        elapsed += round(seconds * 1000)


_Step = tuple[str, str | None, dict[str, Any], float]


def _steps(visit: _Visit, chance: random.Random) -> Iterator[_Step]:
    """Yield the type, screen, properties and seconds of each event, as a hosted page reports them."""
    yield "flow_started", None, {}, 0.1
    screens = visit.flow["screens"]
    places = {screen["id"]: place for place, screen in enumerate(screens)}
    answers: dict[str, Any] = {}
    place, before, rule, step = 0, None, None, 0
    patience = _PATIENCE.get(visit.variant or "", 0.97)
    while place < len(screens):
        screen = screens[place]
        if not _hold(screen.get("show_if", ()), answers):
            place += 1
            continue
        step += 1
        yield "screen_viewed", screen["id"], {"from_screen_id": before, "rule": rule, "step": step}, _seconds(chance)
        if chance.random() > patience * (1 - _LEAVES.get(screen["type"], 0.04)):
            return
        yield from _act(screen, answers, chance, _BUYS.get(visit.variant or "", 0.4))
        yield "screen_completed", screen["id"], {}, 0.1
        before = screen["id"]
        taken = next((each for each in screen.get("next", ()) if _hold(each["when"], answers)), None)
        rule = taken["id"] if taken else None
        if taken and taken["go_to"] == "end":
            break
        place = places[taken["go_to"]] if taken else place + 1
    yield "flow_completed", None, {}, 0


def _act(screen: Mapping[str, Any], answers: dict[str, Any], chance: random.Random, buys: float) -> Iterator[_Step]:
    """Yield the events of a screen's own controls, and keep its answer."""
    kind, content = screen["type"], screen["content"]
    if kind.startswith("question"):
        answer = _answer(kind, content, chance)
        answers[content["answer_key"]] = answer
        properties = {"answer_key": content["answer_key"], "question_type": kind, "answer": answer}
        yield "question_answered", screen["id"], properties, 0.1
    elif kind == "permissions":
        permission = {"permission": content["permission"]}
        yield "permission_requested", screen["id"], permission, 1.5
        is_granted = chance.random() < 0.6  # noqa: PLR2004 - a share
        yield "permission_granted" if is_granted else "permission_denied", screen["id"], permission, 0.1
    elif kind == "paywall" and chance.random() < buys:
        product = chance.choice(content["products"])
        yield "paywall_purchase_chosen", screen["id"], {"product_id": product["product_id"]}, 0.1


def _answer(kind: str, content: Mapping[str, Any], chance: random.Random) -> Any:  # noqa: ANN401 - of any question
    values = [option["value"] if isinstance(option, dict) else option for option in content.get("options", ())]
    if kind == "question_single_choice":
        # The first options are chosen more often.
        return chance.choices(values, weights=range(len(values) + 1, 1, -1))[0]
    if kind == "question_multiple_choice":
        return [value for value in values if chance.random() < 0.5] or values[:1]  # noqa: PLR2004 - a share
    default = content.get("default_value")
    if isinstance(default, int | float):
        return max(content.get("min_value", 0), default + chance.randint(-3, 3))
    return default or "Alex"


def _hold(conditions: Any, answers: Mapping[str, Any]) -> bool:  # noqa: ANN401 - JSON
    compiled = compile_conditions(
        Condition(each["attribute"], each["operator"], each.get("value")) for each in conditions
    )
    return all(each.holds_for(answers.get(each.attribute.removeprefix("answers."))) for each in compiled)


def _weighted(chance: random.Random, choices: tuple[tuple[str, float], ...]) -> str:
    names, weights = zip(*choices, strict=True)
    return str(chance.choices(names, weights=weights)[0])


def _seconds(chance: random.Random) -> float:
    """Return for how many seconds a user looks at a screen: 7 as a rule, at most 120."""
    return min(120.0, chance.lognormvariate(1.9, 0.6))


def _milliseconds(moment: datetime) -> int:
    return int(moment.astimezone(UTC).timestamp() * 1000)
