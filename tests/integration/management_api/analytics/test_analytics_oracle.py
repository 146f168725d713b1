"""Analytics equal a naive count by the words of the contract, for any events."""

import statistics
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from sqlalchemy import text

from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from management_api.analytics.breakdown import analyse
from management_api.analytics.dates import DateRange
from management_api.analytics.events import list_events
from management_api.analytics.funnel import analyse_funnel
from management_api.analytics.paths import analyse_paths
from management_api.analytics.schemas import (
    COLUMN_OF_GROUP,
    AnalyticsQuery,
    EventListQuery,
    FunnelQuery,
    FunnelView,
    GroupBy,
    PathsQuery,
    VariantFunnelView,
)
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.rollup import LOCALE_COLUMNS
from tests.support.data.analytics_events import add_events, an_event
from tests.support.data.rows import add_experiment, add_flow, add_member, add_project, add_screen, add_user
from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.soak import soak_setting

FIRST_MOMENT = datetime(2026, 3, 2, tzinfo=UTC)
DATES = DateRange(date(2026, 3, 2), date(2026, 3, 4))
FLOWS, SCREENS = ("flow_01m7yrarxee6ea2ps5s4sbw4wt", "flow_01m7yrary3ecc98keb5rp7z1j3"), ("screen_a", "screen_b")
#: The service refuses to count by an experiment that the project does not have.
EXPERIMENT = "exp_01m7yrarxfe7xs5q8qf0xgw0jv"
Row = dict[str, Any]

EVENT_TYPES = ["flow_started", "flow_completed", "screen_viewed", "screen_completed", "custom"]
events = st.builds(
    an_event,
    st.integers(-2 * 3600, 74 * 3600).map(lambda seconds: FIRST_MOMENT + timedelta(seconds=seconds)),
    # By Hypothesis, which repeats an example with the same values.
    event_id=st.uuids().map(lambda chosen: chosen.hex),
    event_type=st.sampled_from(EVENT_TYPES),
    device_id=st.sampled_from(["d1", "d2", "d3"]),
    flow_id=st.sampled_from([None, *FLOWS]),
    screen_id=st.sampled_from([None, *SCREENS]),
    experiment_id=st.sampled_from([None, EXPERIMENT]),
    variant=st.sampled_from([None, "a", "b"]),
    platform=st.sampled_from([None, "ios", "android"]),
    locale=st.sampled_from([None, "de", "pt-BR"]),
)
lists_of_events = partial(st.lists, events, unique_by=itemgetter("event_id"))
filters = st.fixed_dictionaries(
    {},
    optional={
        "flow_id": st.sampled_from(FLOWS),
        "experiment_id": st.just(EXPERIMENT),
        "event_type": st.sampled_from(EVENT_TYPES),
        "platform": st.sampled_from(["ios", "android"]),
    },
)
oracle = settings(
    max_examples=soak_setting("ORACLE_EXAMPLES", 20, 500),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


class Project:
    """A project with an experiment on two flows, the first with two screens; the examples replace its events."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.transaction() as session:
            project, user = add_project(session), add_user(session)
            add_member(session, project, user)
            flow, other = (add_flow(session, project, id=flow_id) for flow_id in FLOWS)
            add_experiment(session, flow, other, id=EXPERIMENT)
            for screen_id in SCREENS:
                add_screen(session, flow, id=screen_id)
            self.project_id, self.caller = project.id, Caller(user.id, Role.VIEWER)

    def replace_events(self, rows: list[Row]) -> None:
        with self.database.transaction() as session:
            session.execute(
                text(
                    "TRUNCATE events, event_ids, activity_cells, result_cells, link_cells, locale_cells, devices,"
                    " project_totals, erased_devices, pending_erasures"
                )
            )
            add_events(session, self.project_id, rows)

    def erase(self, device_id: str) -> None:
        """Erase a device, and all that is stored of it."""
        with self.database.transaction() as session:
            begin_erasure(driver_cursor(session), self.project_id, device_id, utc_now())
        complete_erasures(self.database, self.project_id)


@pytest.fixture(scope="module")
def project(postgresql_url: str, run_folder: Path) -> Iterator[Project]:
    with FreshDatabases(postgresql_url, run_folder).migrated() as url:
        database = Database(DatabaseSettings(database_url=SecretStr(url)))
        yield Project(database)
        database.close()


def chosen(rows: list[Row], **wanted: object) -> list[Row]:
    """Return the events of the days that pass the filters."""
    return [
        row
        for row in rows
        if DATES.first <= row["occurred_at"].date() <= DATES.last
        and all(row[name] == value for name, value in wanted.items())
    ]


def counted(rows: list[Row]) -> tuple[int, int]:
    return len(rows), len({row["device_id"] for row in rows})


def counted_naively(rows: list[Row], group_by: GroupBy) -> list[tuple[Any, int, int]]:
    """Group the events and sort the groups by the contract."""
    keys: dict[GroupBy, Callable[[Row], Any]] = {
        GroupBy.DAY: lambda row: row["occurred_at"].date(),
        GroupBy.EVENT_TYPE: lambda row: row["event_type"],
        GroupBy.FLOW: lambda row: row["flow_id"],
        GroupBy.SCREEN: lambda row: row["screen_id"],
        GroupBy.VARIANT: lambda row: row["variant"],
        GroupBy.PLATFORM: lambda row: row["platform"],
        GroupBy.LOCALE: lambda row: row["locale"],
    }
    key_of = keys[group_by]
    present = set(DATES.days) if group_by is GroupBy.DAY else {key_of(row) for row in rows}
    groups = [(key, *counted([row for row in rows if key_of(row) == key])) for key in present]
    if group_by is GroupBy.DAY:
        return sorted(groups)
    return sorted(groups, key=lambda group: (-group[1], group[0] is None, group[0] or ""))


@oracle
@given(
    rows=lists_of_events(max_size=30),
    wanted=filters,
    group_by=st.sampled_from(GroupBy),
)
def test_events_and_users_are_counted(project: Project, rows: list[Row], wanted: Row, group_by: GroupBy) -> None:
    if group_by is GroupBy.LOCALE:
        wanted = {name: value for name, value in wanted.items() if name in LOCALE_COLUMNS}
    project.replace_events(rows)
    with project.database.repeatable_read() as session:
        query = AnalyticsQuery(project_id=project.project_id, group_by=group_by, **wanted)
        found = analyse(session, project.caller, query, DATES)
    expected = chosen(rows, **wanted)
    assert (found.totals.events, found.totals.users) == counted(expected)
    key = COLUMN_OF_GROUP[group_by]
    assert [(row[key], row["events"], row["users"]) for row in found.rows] == counted_naively(expected, group_by)


def first_of(rows: list[Row], event_type: str) -> dict[str, datetime]:
    """Return the first event of that type of each device."""
    firsts: dict[str, datetime] = {}
    for row in sorted(rows, key=lambda row: row["occurred_at"]):
        if row["event_type"] == event_type:
            firsts.setdefault(row["device_id"], row["occurred_at"])
    return firsts


def funnel_naively(rows: list[Row]) -> tuple[Any, ...]:
    of_flow = [row for row in rows if row["flow_id"] == FLOWS[0]]
    started = first_of(of_flow, "flow_started").keys()
    completed = started & first_of(of_flow, "flow_completed").keys()
    screens = []
    for screen_id in SCREENS:
        visits = [row for row in rows if row["screen_id"] == screen_id]
        viewed, done = first_of(visits, "screen_viewed"), first_of(visits, "screen_completed")
        reached = viewed.keys() | done.keys()
        seconds = [(done[device] - viewed[device]) / timedelta(seconds=1) for device in viewed.keys() & done.keys()]
        drop_off = len(reached) - len(done)
        median = statistics.median(seconds) if seconds else None
        screens.append((len(reached), len(done), drop_off, drop_off / len(reached) if reached else 0, median))
    return len(started), len(completed), len(completed) / len(started) if started else 0, screens


def counts_of(funnel: FunnelView | VariantFunnelView) -> tuple[Any, ...]:
    """Return the counts in the order of the naive ones."""
    screens = [
        (screen.reached, screen.completed, screen.drop_off, screen.drop_off_rate, screen.median_seconds)
        for screen in funnel.screens
    ]
    return funnel.started, funnel.completed, funnel.completion_rate, screens


@oracle
@given(
    rows=lists_of_events(max_size=40),
    experiment_id=st.sampled_from([None, EXPERIMENT]),
)
def test_funnels_are_counted(project: Project, rows: list[Row], experiment_id: str | None) -> None:
    project.replace_events(rows)
    with project.database.repeatable_read() as session:
        query = FunnelQuery(flow_id=FLOWS[0], experiment_id=experiment_id)
        found = analyse_funnel(session, project.caller, query, DATES)
    if experiment_id is None:
        assert (counts_of(found), found.variants) == (funnel_naively(chosen(rows)), None)
        return
    expected = chosen(rows, experiment_id=experiment_id)
    assert counts_of(found) == funnel_naively(expected)
    assert found.variants is not None
    split = {funnel.variant: counts_of(funnel) for funnel in found.variants}
    nobody = funnel_naively([])
    for variant in (None, "a", "b"):
        assert split.get(variant, nobody) == funnel_naively([row for row in expected if row["variant"] == variant])
    assert list(split) == sorted(split, key=lambda variant: (variant is None, variant or ""))


@st.composite
def walks(draw: st.DrawFn) -> list[Row]:
    """Draw views of screens by links that contradict each other, starts and completions, at moments of their own."""
    seconds = draw(st.lists(st.integers(0, 72 * 3600 - 1), max_size=40, unique=True))
    rows = []
    for number, second in enumerate(seconds):
        event_type = draw(st.sampled_from(["screen_viewed"] * 6 + ["flow_started", "flow_completed"]))
        before, rule = draw(st.sampled_from([None, *SCREENS, "deleted"])), draw(st.sampled_from([None, "r1", "r2"]))
        named = {"from_screen_id": before, "rule": rule}
        rows.append(
            an_event(
                FIRST_MOMENT + timedelta(seconds=second),
                event_id=f"walk {number}",
                event_type=event_type,
                device_id=draw(st.sampled_from(["d1", "d2", "d3"])),
                flow_id=FLOWS[0],
                screen_id=draw(st.sampled_from([*SCREENS, "deleted"])) if event_type == "screen_viewed" else None,
                experiment_id=draw(st.sampled_from([None, EXPERIMENT])),
                variant=draw(st.sampled_from(["a", "b"])),
                properties=draw(st.sampled_from([{}, named, named, named, {**named, "is_back": True}])),
            )
        )
    return rows


def paths_naively(rows: list[Row]) -> set[tuple[Any, ...]]:
    """Follow each device through its views, and count the links by their definition."""
    links: dict[tuple[str | None, str, str | None], set[str]] = {}
    completed = {row["device_id"] for row in rows if row["event_type"] == "flow_completed"}
    for device in {row["device_id"] for row in rows}:
        views = [row for row in rows if row["device_id"] == device and row["screen_id"] in SCREENS]
        named = [row for row in views if _adds_link(row)]
        first: dict[str, Row] = {}
        for row in sorted(named, key=itemgetter("occurred_at")):
            first.setdefault(row["screen_id"], row)
        for screen_id, row in first.items():
            properties = row["properties"]
            if properties["from_screen_id"] != "deleted":
                link = (properties["from_screen_id"], screen_id, properties["rule"])
                links.setdefault(link, set()).add(device)
        left = {row["properties"]["from_screen_id"] for row in named}
        last = sorted(first.keys() - left or first.keys(), key=lambda screen_id: first[screen_id]["occurred_at"])
        has_started = any(row["device_id"] == device and row["event_type"] == "flow_started" for row in rows)
        if last or (has_started and not views):
            end = "end" if device in completed else "left"
            links.setdefault((last[-1] if last else None, end, None), set()).add(device)
    return {(*link, len(devices), len(devices & completed)) for link, devices in links.items()}


def _adds_link(row: Row) -> bool:
    properties = row["properties"]
    if "from_screen_id" not in properties or properties.get("is_back"):
        return False
    return bool(properties["from_screen_id"] != row["screen_id"])


@oracle
@given(
    rows=walks(),
    wanted=st.sampled_from([{}, {"experiment_id": EXPERIMENT}, {"experiment_id": EXPERIMENT, "variant": "a"}]),
    erased=st.sampled_from([None, "d1"]),
)
def test_paths_are_counted(project: Project, rows: list[Row], wanted: Row, erased: str | None) -> None:
    project.replace_events(rows)
    if erased is not None:
        project.erase(erased)
        rows = [row for row in rows if row["device_id"] != erased]
    assert rebuild_project(project.database, project.project_id, repair=False) == []
    with project.database.repeatable_read() as session:
        query = PathsQuery(flow_id=FLOWS[0], **wanted)
        found = analyse_paths(session, project.caller, query, DATES)
    expected = chosen(rows, **wanted)
    links = [(link.from_screen_id, link.to_screen_id, link.rule, link.users, link.completed) for link in found.links]
    assert (set(links), len(links)) == (paths_naively(expected), len(set(links)))
    started, completed, _, screens = funnel_naively(expected)
    assert (found.started, found.completed) == (started, completed)
    assert [screen.reached for screen in found.screens] == [reached for reached, *_ in screens]


@oracle
@given(
    rows=lists_of_events(max_size=30),
    wanted=filters,
    number=st.integers(1, 3),
    limit=st.integers(1, 20),
    sort=st.sampled_from(["timestamp", "-timestamp", "created_at", "-created_at"]),
)
def test_events_are_listed(project: Project, rows: list[Row], wanted: Row, number: int, limit: int, sort: str) -> None:
    project.replace_events(rows)
    with project.database.repeatable_read() as session:
        query = EventListQuery(project_id=project.project_id, page=number, limit=limit, sort=sort, **wanted)
        found = list_events(session, project.caller, query, DATES).page
    expected = sorted(
        chosen(rows, **wanted), key=lambda row: (row["occurred_at"], row["event_id"]), reverse=sort.startswith("-")
    )
    first = (number - 1) * limit
    assert found.total == len(expected)
    assert [item.event_id for item in found.items] == [row["event_id"] for row in expected[first : first + limit]]
