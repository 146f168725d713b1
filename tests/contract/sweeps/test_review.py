"""Every row of the routes table against the review: no editor brings content to devices without approvals.

The project requires two approvals, and one member does all that an editor, or an admin, may do. What would reach
devices is read from the compiled snapshot, without QA devices and previews, which show drafts on purpose.
"""

import gzip
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from sqlalchemy import delete, select, update

from management_api.db.models.flow_history import FlowSchedule, FlowVersion
from management_api.db.models.flows import Flow
from management_api.db.models.projects import Role
from management_api.flows.lifecycle.versions import live_version
from management_api.http.routing import Access
from publisher.compiler import compile_snapshot
from publisher.project_reader import read_projects
from publisher.project_records import ProjectRecord
from publisher.schedules import ScheduleRunner
from tests.contract.route_examples import Ids, Row, rows, seed
from tests.contract.sweeps.shares import each_route
from tests.support.clients.management import Management, User, data_of
from tests.support.data.pages import MANIFEST
from tests.support.data.rows import change_document

EVIL = "Evil"
EVIL_COLOR = "#bad000"
#: Members of requests that devices would show.
_SHOWN = frozenset({"name", "title", "description"})
_METHODS = frozenset({"POST", "PUT", "DELETE"})
_FLOW_ITEM = "PUT /flows/{flow_id}"
#: Requests besides the examples, each by the row that it belongs to.
_MORE_BODIES: dict[str, tuple[dict[str, Any], ...]] = {
    "POST /flows": (
        {"projectId": "{project_id}", "name": EVIL, "status": "draft"},
        {"projectId": "{project_id}", "name": EVIL, "status": "active", "is_default": True},
        {"projectId": "{project_id}", "name": EVIL, "is_default": True},
        {"projectId": "{project_id}", "name": EVIL, "status": "active", "priority": 100_000},
    ),
    _FLOW_ITEM: ({"status": "active"}, {"is_default": True}, {"status": "active", "is_default": True}),
    "PUT /projects/{project_id}": ({"settings": {"default_flow_id": "{flow_id}"}},),
    "POST /themes": (
        {"projectId": "{project_id}", "name": EVIL, "is_default": True, "colors": {"text": EVIL_COLOR}},
        {"projectId": "{project_id}", "name": EVIL, "based_on": "{theme_id}", "colors": {"text": EVIL_COLOR}},
    ),
    "PUT /themes/{theme_id}": ({"is_default": True}, {"colors": {"text": EVIL_COLOR}, "is_default": True}),
    "POST /flows/{flow_id}/versions/{number}/restore": ({"to": "draft"},),
    "POST /themes/{theme_id}/versions/{number}/restore": ({"to": "draft"},),
    "POST /flows/{flow_id}/schedules": (
        {"action": "publish", "run_at": "2099-01-01T00:00:00Z"},
        {"action": "publish", "run_at": "2099-01-01T00:00:00Z", "ignore_warnings": True},
        {"action": "restore", "version": 1, "run_at": "2099-01-01T00:00:00Z"},
        {"action": "activate", "run_at": "2099-01-01T00:00:00Z"},
    ),
    "POST /flows/{flow_id}/publish": ({"activate": True, "ignore_warnings": True},),
}
ROWS = [row for row in rows() if row.method in _METHODS and row.permission in {Role.EDITOR, Role.ADMIN, Access.USER}]


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def ids(management: Management) -> Ids:
    """Return a project under review: two served flows with a theme, and two flows whose content was never reviewed."""
    owner = management.user("owner")
    found = seed(management, owner)
    with management.database.transaction() as session:
        for flow in session.scalars(select(Flow).where(Flow.project_id == found.project_id)):
            is_evil = flow.id in {found.flow_id, found.edited_flow_id}
            flow.status = "draft" if is_evil else "active"
            text, theme_id = (EVIL, None) if is_evil else ("Good", found.theme_id)
            screens = [s | {"content": {"title": text}} for s in live_version(session, flow).document["screens"]]
            former = (FlowVersion.flow_id == flow.id, FlowVersion.number < flow.live_version)
            session.execute(delete(FlowVersion).where(*former))
            flow.name, flow.theme_id = text, theme_id
            change_document(session, flow, name=text, theme_id=theme_id, screens=screens)
    settings = {"required_approvals": 2, "default_flow_id": found.other_flow_id}
    data_of(owner.put(f"/api/projects/{found.project_id}", {"settings": settings}))
    return found


def evil(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Replace the texts and colours of a request that devices would show."""
    if isinstance(value, list):
        return [evil(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: EVIL
        if name in _SHOWN and isinstance(item, str)
        else {"text": EVIL_COLOR}
        if name == "colors"
        else evil(item)
        for name, item in value.items()
    }


def served(management: Management, project_id: str) -> str:
    """Return all that devices would get of a project: the flows of all rules, their themes, and the pages."""
    with management.database.repeatable_read() as session:
        (record,), unreadable = read_projects(session, [project_id])
    assert not unreadable
    assert isinstance(record, ProjectRecord)
    shown = replace(
        record,
        overrides=(),
        pages=tuple(page for page in record.pages if not page.is_draft and not page.is_preview),
    )
    snapshot = compile_snapshot(shown, (), MANIFEST)
    flows = orjson.loads(snapshot.config.body)["flows"]
    pages = b"".join(gzip.decompress(page.gzip) for page in snapshot.pages or ())
    return f"{flows} {b''.join(part.body for part in snapshot.flow_parts)!r} {pages!r}"


def serve_all(management: Management, user: User, ids: Ids) -> None:
    """Try every way to devices that is left after a request: schedules, status, default flow, experiments."""
    with management.database.transaction() as session:
        is_of_project = FlowSchedule.project_id == ids.project_id
        session.execute(update(FlowSchedule).where(is_of_project).values(run_at=datetime.now(UTC)))
    ScheduleRunner(management.database).run_due()
    for flow in data_of(user.get("/api/flows", params={"projectId": ids.project_id})):
        path = f"/api/flows/{flow['id']}"
        user.post(f"{path}/publish", {"ignore_warnings": True, "activate": True})
        user.post(f"{path}/versions/1/restore")
        user.put(path, {"status": "active"})
        user.put(path, {"is_default": True})
    user.post(f"/api/experiments/{ids.experiment_id}/start", {})
    user.post(f"/api/experiments/{ids.experiment_id}/complete", {"winner": "b"})


@each_route(ROWS)
def test_no_request_serves_content_without_a_review(management: Management, ids: Ids, row: Row) -> None:
    role = row.permission if isinstance(row.permission, Role) else Role.EDITOR
    mallory = management.member(f"mallory {ids.project_id}", ids.project_id, role)
    for body in (row.example.body, *_MORE_BODIES.get(str(row), ())):
        # Admins may change what is no content of flows, such as the name of the project.
        sent = evil(ids.put_into(body)) if role is Role.EDITOR else ids.put_into(body)
        mallory.request(**{**ids.request_of(row), "json": sent})
    serve_all(management, mallory, ids)
    content = served(management, ids.project_id)
    assert "Good" in content
    assert EVIL not in content
    assert EVIL_COLOR not in content


def test_unreviewed_content_reaches_devices_without_the_rule(management: Management, ids: Ids) -> None:
    owner = management.user("owner")
    data_of(owner.put(f"/api/projects/{ids.project_id}", {"settings": {"required_approvals": 0}}))
    data_of(owner.put(f"/api/themes/{ids.theme_id}", {"colors": {"text": EVIL_COLOR}}))
    serve_all(management, owner, ids)
    content = served(management, ids.project_id)
    assert EVIL in content
    assert EVIL_COLOR in content
