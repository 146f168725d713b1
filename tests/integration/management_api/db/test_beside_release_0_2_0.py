"""Release 0.2.0 changes rows while this release changes documents: both see every change, and none is lost."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from common.settings.shared import DatabaseSettings
from common.wire.public_responses import ScreenType
from management_api.auth.access import Caller
from management_api.auth.entity_tags import NO_PRECONDITION
from management_api.db.engine import Database
from management_api.db.models.flow_history import FlowVersion, ScreenId
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.history import VersionOrigin
from management_api.db.models.projects import Role
from management_api.db.models.theme_history import ThemeVersion
from management_api.flows.operations import update_flow
from management_api.flows.schemas import FlowUpdateBody
from management_api.projects.quotas import Quotas
from management_api.screens.operations import create_screen, list_screens, read_screen, update_screen
from management_api.screens.schemas import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody
from management_api.settings import MAX_DOCUMENT_BYTES
from management_api.themes.document import document_of
from management_api.themes.lifecycle.versions import make_live as make_theme_live
from tests.support.data.rows import (
    add_flow,
    add_member,
    add_project,
    add_screen,
    add_theme,
    add_user,
    change_document,
    read_live_document,
)
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows

LIMITS = replace(Quotas(*[1000] * len(fields(Quotas))), content_bytes_per_project=MAX_DOCUMENT_BYTES)
#: Release 0.2.0 locks the project first, as this release does.
LOCK = "SELECT id FROM projects WHERE id = :project FOR NO KEY UPDATE"
ADD_SCREEN = """
    INSERT INTO screens (id, flow_id, project_id, type, "order", content)
    SELECT :screen, id, project_id, 'custom', (SELECT count(*) FROM screens WHERE flow_id = flows.id), '{"by": 2}'
    FROM flows WHERE id = :flow
"""


@dataclass(frozen=True)
class Releases:
    """A project with a flow of two screens and a theme, which both releases may change."""

    database: Database
    caller: Caller
    names: dict[str, str]

    def of_0_2_0(self, *statements: str, **names: str) -> None:
        """Execute statements as release 0.2.0 does, in one transaction."""
        with self.database.transaction() as session:
            for statement in (LOCK, *statements):
                session.execute(text(statement), {**self.names, **names})

    def of_this_release(self, change: Callable[[Session], Any]) -> Any:  # noqa: ANN401 - any operation
        with self.database.transaction() as session:
            return change(session)

    def document(self) -> dict[str, Any]:
        """Return the live document, which the rows of release 0.2.0 equal."""
        with self.database.transaction() as session:
            assert flows_with_other_rows(session) == []
            return read_live_document(session, self.names["flow"])

    def versions(self) -> list[tuple[int, str]]:
        """Return the numbers and origins of the versions; the last one is live."""
        with self.database.transaction() as session:
            versions = select(FlowVersion.number, FlowVersion.origin).where(FlowVersion.flow_id == self.names["flow"])
            found = [(number, origin) for number, origin in session.execute(versions.order_by(FlowVersion.number))]
            assert session.get_one(Flow, self.names["flow"]).live_version == found[-1][0]
            return found


@pytest.fixture
def releases(database_url: str) -> Iterator[Releases]:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url), database_pool_size=8))
    with database.transaction() as session:
        user, project = add_user(session), add_project(session)
        add_member(session, project, user, Role.EDITOR)
        theme = add_theme(session, project)
        flow = add_flow(session, project, theme_id=theme.id)
        first, second = add_screen(session, flow), add_screen(session, flow)
        names = {
            "project": project.id,
            "flow": flow.id,
            "theme": theme.id,
            "first": first["id"],
            "second": second["id"],
        }
        caller = Caller(user.id, Role.EDITOR)
    yield Releases(database, caller, names)
    database.close()


def test_theme_that_release_0_2_0_writes_has_versions(releases: Releases) -> None:
    dark = {"primary": "#eeeeee"}
    looks = {"spacing": "airy", "colors": {"dark": dark}}
    releases.of_0_2_0("INSERT INTO themes (id, project_id, name) VALUES ('theme_new', :project, 'New')")
    releases.of_0_2_0("UPDATE themes SET is_default = false WHERE id = 'theme_new'")
    with releases.database.transaction() as session:
        theme = session.get_one(Theme, "theme_new")
        make_theme_live(session, theme, {**document_of(theme), **looks}, VersionOrigin.DIRECT, None)
    # Release 0.2.0 reads and writes colours that are texts.
    releases.of_0_2_0(
        "UPDATE themes SET name = 'Other', colors = colors || '{\"primary\": \"#111111\"}' WHERE id = 'theme_new'"
    )
    with releases.database.transaction() as session:
        of_theme = select(ThemeVersion).where(ThemeVersion.theme_id == "theme_new").order_by(ThemeVersion.number)
        versions = session.scalars(of_theme).all()
        assert [(version.number, version.origin) for version in versions] == [
            (1, "created"),
            (2, "direct"),
            (3, "direct"),
        ]
        theme = session.get_one(Theme, "theme_new")
        assert (theme.live_version, document_of(theme)) == (3, versions[-1].document)
        colors = {"primary": "#111111"}
        assert theme.colors == colors
        assert versions[-1].document.items() >= {"name": "Other", **looks, "colors": {**colors, "dark": dark}}.items()


def test_flow_that_release_0_2_0_creates_has_a_version(releases: Releases) -> None:
    screen_id = new_id(IdPrefix.SCREEN)
    releases.of_0_2_0(
        "INSERT INTO flows (id, project_id, name, rollout_buckets) VALUES (:new, :project, 'New', 3330)",
        ADD_SCREEN.replace(":flow", ":new"),
        new="flow_new",
        screen=screen_id,
    )
    with releases.database.transaction() as session:
        [version] = session.scalars(select(FlowVersion).where(FlowVersion.flow_id == "flow_new"))
        assert (version.number, version.origin, version.document["targeting"]["percentage"]) == (1, "created", 33.3)
        assert read_screen(session, releases.caller, screen_id)["content"] == {"by": 2}
        assert session.get_one(Flow, "flow_new").document_bytes > 0
        assert flows_with_other_rows(session) == []


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["UPDATE flows SET name = 'Renamed', description = 'New' WHERE id = :flow"], {"name": "Renamed"}),
        (
            ["UPDATE flows SET rollout_buckets = 50 WHERE id = :flow"],
            {"targeting": {"percentage": 0.5, "conditions": []}},
        ),
        # The foreign key takes the theme from the flow.
        (["DELETE FROM themes WHERE id = :theme"], {"theme_id": None}),
    ],
)
def test_change_of_a_flow_by_release_0_2_0_is_a_version(
    releases: Releases, statements: list[str], expected: dict[str, object]
) -> None:
    releases.of_0_2_0(*statements)
    assert releases.document().items() >= expected.items()
    assert releases.versions() == [(1, "created"), (2, "direct")]


def test_changes_of_screens_by_release_0_2_0_in_one_transaction_are_one_version(releases: Releases) -> None:
    releases.of_0_2_0(
        'UPDATE screens SET "order" = "order" + 1 WHERE flow_id = :flow',
        """
        INSERT INTO screens (id, flow_id, project_id, type, "order") VALUES (:screen, :flow, :project, 'paywall', 0)
        """,
        "UPDATE screens SET name = 'Changed' WHERE id = :first",
        "DELETE FROM screens WHERE id = :second",
        screen="screen_new",
    )
    screens = releases.document()["screens"]
    assert [(screen["id"], screen["name"]) for screen in screens] == [
        ("screen_new", None),
        (releases.names["first"], "Changed"),
    ]
    assert releases.versions() == [(1, "created"), (2, "direct")]


def test_change_by_release_0_2_0_of_what_is_no_content_makes_no_version(releases: Releases) -> None:
    releases.of_0_2_0(
        "UPDATE flows SET priority = 7, status = 'draft', name = name WHERE id = :flow",
        "UPDATE screens SET name = 'Changed' WHERE id = :first",
        "UPDATE screens SET name = NULL WHERE id = :first",
    )
    assert releases.versions() == [(1, "created")]


def test_change_by_release_0_2_0_keeps_members_that_it_does_not_have(releases: Releases) -> None:
    with releases.database.transaction() as session:
        flow = session.get_one(Flow, releases.names["flow"])
        [first, second] = read_live_document(session, flow.id)["screens"]
        change_document(session, flow, screens=[{**first, "audience": 1}, second], logic=[2])
    releases.of_0_2_0("UPDATE screens SET name = 'Changed' WHERE flow_id = :flow")
    with releases.database.transaction() as session:
        document = read_live_document(session, releases.names["flow"])
    changed = document["screens"][0]
    assert (document["logic"], changed["audience"], changed["name"]) == ([2], 1, "Changed")


def test_release_0_2_0_has_newer_types_of_screens_as_custom_and_keeps_them(releases: Releases) -> None:
    with releases.database.transaction() as session:
        flow = session.get_one(Flow, releases.names["flow"])
        [first, second] = read_live_document(session, flow.id)["screens"]
        change_document(session, flow, screens=[{**first, "type": "loading"}, {**second, "type": "paywall"}])
    with releases.database.transaction() as session:
        assert session.scalars(text('SELECT type FROM screens ORDER BY "order"')).all() == ["custom", "paywall"]
    releases.of_0_2_0("UPDATE screens SET name = 'Changed', type = 'custom' WHERE flow_id = :flow")
    changed = [(screen["name"], screen["type"]) for screen in releases.document()["screens"]]
    assert changed == [("Changed", "loading"), ("Changed", "custom")]


def test_screens_have_the_times_of_their_rows(releases: Releases) -> None:
    query = ScreenListQuery(flow_id=releases.names["flow"])
    releases.of_0_2_0("UPDATE screens SET name = 'Changed', updated_at = clock_timestamp() WHERE id = :first")
    first, second = releases.of_this_release(lambda session: list_screens(session, releases.caller, query))[0]
    body = ScreenUpdateBody(name="Again")
    releases.of_this_release(
        lambda session: update_screen(session, releases.caller, second["id"], body, LIMITS, NO_PRECONDITION)
    )
    with releases.database.transaction() as session:
        rows = session.execute(text("SELECT id, created_at, updated_at FROM screens ORDER BY id"))
        ids = session.execute(select(ScreenId.id, ScreenId.created_at, ScreenId.updated_at).order_by(ScreenId.id))
        assert [tuple(row) for row in rows] == [tuple(row) for row in ids]
        assert session.get_one(ScreenId, first["id"]).updated_at == first["updated_at"] > first["created_at"]


def test_flow_keeps_its_time_when_only_its_screens_change(releases: Releases) -> None:
    def time_of_flow() -> object:
        return releases.of_this_release(lambda session: session.get_one(Flow, releases.names["flow"]).updated_at)

    before = time_of_flow()
    releases.of_0_2_0(ADD_SCREEN, screen="screen_new")
    body = ScreenCreateBody(flow_id=releases.names["flow"], type=ScreenType.CUSTOM)
    releases.of_this_release(lambda session: create_screen(session, releases.caller, body, LIMITS))
    assert time_of_flow() == before
    renaming = FlowUpdateBody(name="Renamed")
    releases.of_this_release(
        lambda session: (
            update_flow(session, releases.caller, releases.names["flow"], renaming, LIMITS, NO_PRECONDITION).tag
        )
    )
    assert time_of_flow() != before


def test_concurrent_changes_of_both_releases_are_all_kept(releases: Releases) -> None:
    body = ScreenCreateBody(flow_id=releases.names["flow"], type=ScreenType.CUSTOM)

    def change(number: int) -> str:
        if number % 2:
            releases.of_0_2_0(ADD_SCREEN, screen=f"screen_{number}")
            return f"screen_{number}"
        made: str = releases.of_this_release(
            lambda session: create_screen(session, releases.caller, body, LIMITS)["id"]
        )
        return made

    with ThreadPoolExecutor(6) as threads:
        made = list(threads.map(change, range(40)))
    kept = {screen["id"] for screen in releases.document()["screens"]}
    assert kept == {releases.names["first"], releases.names["second"], *made}


def test_change_by_release_0_2_0_is_not_reviewed(releases: Releases) -> None:
    with releases.database.transaction() as session:
        session.execute(update(FlowVersion).values(is_reviewed=True))
    releases.of_0_2_0("UPDATE screens SET name = 'Changed' WHERE id = :first")
    with releases.database.transaction() as session:
        versions = select(FlowVersion.is_reviewed).order_by(FlowVersion.number)
        assert session.scalars(versions).all() == [True, False]
