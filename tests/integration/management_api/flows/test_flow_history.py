"""Any sequence of changes leaves a complete history: the newest version is live, older ones stay as they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import func, select, text, update

from common.timestamps import utc_now
from management_api.db.models.flow_history import FlowDraft, FlowSchedule, FlowVersion
from management_api.db.models.projects import Role
from management_api.flows.lifecycle.schedules import run_schedule
from management_api.history import versions
from tests.support.clients.management import Management
from tests.support.data.rows import read_live_document
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows
from tests.support.soak import soak_setting

EXAMPLES = soak_setting("HISTORIES", 10, 150)
STEPS = soak_setting("HISTORY_STEPS", 30, 50)
#: So few are kept here that the sequences reach the end of the history.
KEPT = 4
HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}

users = st.integers(0, 1)
#: An index into a list of any length.
picks = st.integers(0, 5)
texts = st.sampled_from(["One", "Two", "Three"])
priorities = st.sampled_from([0, 1, 5])


@dataclass(frozen=True)
class StoredVersion:
    """A version as it is stored, its document as text."""

    origin: str
    created_by: str | None
    restored_from: int | None
    document: str
    may_be_replaced: bool


@dataclass(frozen=True)
class Observation:
    """The history of a flow."""

    versions: Mapping[int, StoredVersion]
    pinned: frozenset[int]
    live: str

    @property
    def newest(self) -> int:
        return max(self.versions)


class FlowHistory(RuleBasedStateMachine):
    """Two editors change two flows of a project by every endpoint that changes a document."""

    #: The service, which all histories of a test share.
    service: ClassVar[Management]

    def __init__(self) -> None:
        super().__init__()
        self.management = self.service.with_own_users()
        self.observed: dict[str, Observation] = {}
        #: The user of the last step if it was a direct write.
        self.direct_writer: str | None = None

    @initialize()
    def create(self) -> None:
        owner = self.management.user("user-0")
        self.project_id = owner.create_project()["id"]
        self.users = [owner, self.management.member("user-1", self.project_id, Role.EDITOR)]
        self.user_ids = [self.management.user_id(f"user-{n}") for n in range(2)]
        self.flows = [owner.create_flow(self.project_id, screens=[HELLO, HELLO])["id"] for _ in range(2)]
        self.themes: list[str] = []

    # --- direct writes ---

    @rule(user=users, flow=picks, name=texts, priority=priorities, percentage=st.sampled_from([0.01, 33.3, 100]))
    def change_flow(self, user: int, flow: int, name: str, priority: int, percentage: float) -> None:
        body = {"name": name, "priority": priority, "targeting": {"percentage": percentage}}
        self.directly(user, "PUT", f"/api/flows/{self.flow(flow)}", body)

    @rule(user=users, flow=picks, title=texts, order=st.none() | picks)
    def add_screen(self, user: int, flow: int, title: str, order: int | None) -> None:
        body = {"flow_id": self.flow(flow), "type": "welcome", "content": {"title": title}, "order": order}
        self.directly(user, "POST", "/api/screens", {name: value for name, value in body.items() if value is not None})

    @rule(user=users, flow=picks, screen=picks, title=texts, order=picks)
    def change_screen(self, user: int, flow: int, screen: int, title: str, order: int) -> None:
        before = self.screen_ids(flow)
        if before:
            path = f"/api/screens/{before[screen % len(before)]}"
            self.directly(user, "PUT", path, {"content": {"title": title}, "order": order})
            assert sorted(self.screen_ids(flow)) == sorted(before)

    @rule(user=users, flow=picks, screen=picks)
    def delete_screen(self, user: int, flow: int, screen: int) -> None:
        before = self.screen_ids(flow)
        if before:
            removed = before.pop(screen % len(before))
            self.directly(user, "DELETE", f"/api/screens/{removed}")
            assert self.screen_ids(flow) == before

    @rule(user=users, flow=picks)
    def reverse_screens(self, user: int, flow: int) -> None:
        reversed_ids = self.screen_ids(flow)[::-1]
        self.directly(user, "PUT", f"/api/flows/{self.flow(flow)}/screens/order", {"screen_ids": reversed_ids})
        assert self.screen_ids(flow) == reversed_ids

    @rule(user=users, order=st.permutations([0, 1]))
    def order_flows(self, user: int, order: list[int]) -> None:
        body = {"flow_ids": [self.flows[place] for place in order]}
        self.directly(user, "PUT", f"/api/projects/{self.project_id}/flows/order", body)

    @rule(user=users, flow=picks)
    def set_theme(self, user: int, flow: int) -> None:
        made = self.users[user].post("/api/themes", {"projectId": self.project_id, "name": "Theme"})
        self.themes.append(made.json["data"]["id"])
        self.directly(user, "PUT", f"/api/flows/{self.flow(flow)}", {"theme_id": self.themes[-1]})

    @rule(user=users)
    def delete_theme(self, user: int) -> None:
        if self.themes:
            self.directly(user, "DELETE", f"/api/themes/{self.themes.pop()}")

    # --- release 0.2.0, which writes rows ---

    @rule(flow=picks, name=texts)
    def change_flow_by_0_2_0(self, flow: int, name: str) -> None:
        self.by_0_2_0(flow, "UPDATE flows SET name = :text WHERE id = :flow", name)

    @rule(flow=picks, title=texts)
    def reverse_screens_by_0_2_0(self, flow: int, title: str) -> None:
        reverse = """
            UPDATE screens SET updated_at = clock_timestamp(),
            content = jsonb_build_object('title', CAST(:text AS text)), "order" = (
                SELECT count(*) FROM screens AS o WHERE o.flow_id = screens.flow_id AND o."order" > screens."order"
            ) WHERE flow_id = :flow
        """
        before = self.screen_ids(flow)
        self.by_0_2_0(flow, reverse, title)
        assert self.screen_ids(flow) == before[::-1]

    @rule(flow=picks)
    def delete_last_screen_by_0_2_0(self, flow: int) -> None:
        before = self.screen_ids(flow)
        if before:
            self.by_0_2_0(flow, "DELETE FROM screens WHERE flow_id = :flow AND id = :text", before.pop())
            assert self.screen_ids(flow) == before

    # --- drafts, versions and schedules ---

    @rule(user=users, flow=picks, name=texts, is_stale=st.booleans(), drops_first=st.booleans())
    def save_draft(self, user: int, flow: int, name: str, *, is_stale: bool, drops_first: bool) -> None:
        history = self.observe(self.flow(flow))
        screens = [{**HELLO, "id": screen_id} for screen_id in self.screen_ids(flow)]
        document = {"name": name, "screens": [*screens[drops_first:], HELLO]}
        body = {"document": document, "base_version": min(history.versions) if is_stale else history.newest}
        self.by_lifecycle(user, "PUT", f"/api/flows/{self.flow(flow)}/draft", body)

    @rule(user=users, flow=picks)
    def delete_draft(self, user: int, flow: int) -> None:
        self.by_lifecycle(user, "DELETE", f"/api/flows/{self.flow(flow)}/draft")

    @rule(user=users, flow=picks)
    def publish(self, user: int, flow: int) -> None:
        path = f"/api/flows/{self.flow(flow)}"
        draft = self.users[user].get(f"{path}/draft")
        made = self.by_lifecycle(user, "POST", f"{path}/publish", {"ignore_warnings": True})
        if made is not None:
            assert made["document"] == draft.json["data"]["document"]

    @rule(user=users, flow=picks, version=picks, to=st.sampled_from(["live", "draft"]))
    def restore(self, user: int, flow: int, version: int, to: str) -> None:
        path = f"/api/flows/{self.flow(flow)}/versions/{self.version(flow, version)}"
        restored = self.users[user].get(path).json["data"]["document"]
        made = self.by_lifecycle(user, "POST", f"{path}/restore", {"to": to})
        if made is not None:
            assert made["document"] == restored

    @rule(user=users, flow=picks, version=picks)
    def schedule_restore(self, user: int, flow: int, version: int) -> None:
        tomorrow = (utc_now() + timedelta(days=1)).isoformat()
        body = {"action": "restore", "version": self.version(flow, version), "run_at": tomorrow}
        self.by_lifecycle(user, "POST", f"/api/flows/{self.flow(flow)}/schedules", body)

    @rule(pick=picks, is_cancelled=st.booleans(), user=users)
    def end_schedule(self, pick: int, user: int, *, is_cancelled: bool) -> None:
        self.direct_writer = None
        with self.management.database.reading() as session:
            pending = session.execute(
                select(FlowSchedule.id, FlowSchedule.flow_id)
                .where(FlowSchedule.flow_id.in_(self.flows), FlowSchedule.state == "pending")
                .order_by(FlowSchedule.id)
            ).all()
        if not pending:
            return
        schedule = pending[pick % len(pending)]
        if is_cancelled:
            self.by_lifecycle(user, "DELETE", f"/api/flows/{schedule.flow_id}/schedules/{schedule.id}")
            return
        with self.management.database.transaction() as session:
            run_schedule(session, schedule.id)

    @rule()
    def five_minutes_pass(self) -> None:
        with self.management.database.transaction() as session:
            session.execute(
                update(FlowVersion)
                .where(FlowVersion.flow_id.in_(self.flows))
                .values(created_at=FlowVersion.created_at - timedelta(seconds=versions.REPLACE_SECONDS))
            )
        self.observed = {flow_id: self.observe(flow_id) for flow_id in self.flows}

    # --- rules of the history ---

    @invariant()
    def histories_are_complete(self) -> None:
        for flow_id in getattr(self, "flows", ()):
            before, after = self.observed.get(flow_id), self.observe(flow_id)
            assert after.versions[after.newest].document == after.live
            with self.management.database.transaction() as session:
                assert flows_with_other_rows(session) == []
            kept = range(max(1, after.newest - KEPT + 1), after.newest + 1)
            assert set(kept) <= after.versions.keys()
            assert after.pinned <= after.versions.keys()
            if before is not None:
                self.check_only_appended(before, after)
            self.observed[flow_id] = after

    def check_only_appended(self, before: Observation, after: Observation) -> None:
        """Compare two observations around one step, which appends or replaces one version at most."""
        assert after.newest - before.newest in {0, 1}
        for number, version in after.versions.items():
            former = before.versions.get(number)
            if former is None:
                assert number == after.newest > before.newest
            elif former.document != version.document:
                assert number == before.newest == after.newest
                assert former.may_be_replaced
                assert number not in before.pinned
                assert former.created_by == version.created_by == self.direct_writer
                assert former.origin == version.origin == "direct"
            else:
                assert (former.origin, former.created_by) == (version.origin, version.created_by)
        # Only old versions go, and never those that a draft or a schedule refers to.
        for number in before.versions.keys() - after.versions.keys():
            assert number <= after.newest - KEPT

    # --- helpers ---

    def flow(self, pick: int) -> str:
        flow_id: str = self.flows[pick % len(self.flows)]
        return flow_id

    def version(self, flow: int, pick: int) -> int:
        numbers = sorted(self.observe(self.flow(flow)).versions)
        return numbers[pick % len(numbers)]

    def screen_ids(self, flow: int) -> list[str]:
        shown = self.users[0].get(f"/api/flows/{self.flow(flow)}")
        return [screen["id"] for screen in shown.json["data"]["screens"]]

    def directly(self, user: int, method: str, path: str, body: object = None) -> None:
        self.direct_writer = self.user_ids[user]
        result = self.users[user].request(method, path, json=body)
        assert result.status_code in {200, 201}, result.text

    def by_lifecycle(self, user: int, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """Return the data of a success; the state may forbid the change, too."""
        self.direct_writer = None
        result = self.users[user].request(method, path, json=body)
        assert result.status_code in {200, 201, 400, 404, 409}, result.text
        return result.json.get("data") if result.status_code in {200, 201} else None

    def by_0_2_0(self, flow: int, statement: str, value: str) -> None:
        self.direct_writer = None
        with self.management.database.transaction() as session:
            session.execute(text("SELECT FROM projects WHERE id = :id FOR NO KEY UPDATE"), {"id": self.project_id})
            session.execute(text(statement), {"flow": self.flow(flow), "text": value})

    def observe(self, flow_id: str) -> Observation:
        with self.management.database.repeatable_read() as session:
            age = func.extract("epoch", func.clock_timestamp() - FlowVersion.created_at)
            rows = session.execute(
                select(FlowVersion, (age < versions.REPLACE_SECONDS).label("is_recent")).where(
                    FlowVersion.flow_id == flow_id
                )
            ).all()
            bases = select(FlowDraft.base_version).where(FlowDraft.flow_id == flow_id)
            scheduled = select(FlowSchedule.version).where(
                FlowSchedule.flow_id == flow_id, FlowSchedule.state == "pending"
            )
            return Observation(
                {
                    version.number: StoredVersion(
                        version.origin, version.created_by, version.restored_from, str(version.document), is_recent
                    )
                    for version, is_recent in rows
                },
                frozenset(number for number in session.scalars(bases.union_all(scheduled)) if number is not None),
                str(read_live_document(session, flow_id)),
            )


@pytest.mark.slow
def test_newest_version_is_live_and_older_ones_stay(management: Management, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "KEPT_VERSIONS", KEPT)
    run_state_machine_as_test(
        type("FlowHistoryOfTest", (FlowHistory,), {"service": management}),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        ),
    )
