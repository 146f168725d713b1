"""Every row of the routes table with a request that it accepts, for tests that hold for all rows.

A row without an example fails these tests, so a new endpoint cannot escape them.
"""

from dataclasses import dataclass, field, fields
from datetime import timedelta
from functools import cache
from typing import Any, get_origin

from pydantic import SecretStr

from common.ids import IdPrefix, new_id
from common.settings.shared import DatabaseSettings
from common.timestamps import format_timestamp, utc_now
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Project, Role
from management_api.flows.lifecycle.preview_links import PreviewLinks
from management_api.http.routes import api_routes
from management_api.http.routing import Access, Permission
from management_api.media.resources import MediaLibrary
from management_api.projects.quotas import Quotas
from tests.support.clients.management import EDGE_URL, Management, User
from tests.support.data.assignment_keys import TICKETS, TOKENS
from tests.support.data.rows import (
    add_draft,
    add_experiment,
    add_flow,
    add_media,
    add_member,
    add_schedule,
    add_screen,
    add_theme,
    add_theme_draft,
    add_theme_version,
    add_user,
    add_version,
)
from tests.support.media_files import picture


@dataclass(frozen=True)
class Example:
    """Query and body of a request; `{project_id}` and its like stand for ids of the project at hand.

    `about` is for a row that wants another thing than most: the field of Ids that its path's parameter stands for.
    """

    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    #: A file and its type, instead of a body of JSON.
    upload: tuple[bytes, str] | None = None
    about: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One method of one path, and who may call it."""

    method: str
    path: str
    permission: Permission
    example: Example
    #: Whether it shows a page of many.
    is_list: bool
    body_is_optional: bool

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Ids:
    """The ids of a project, of its parts, of a member of it, and of a user who is none."""

    project_id: str = field(default_factory=lambda: new_id(IdPrefix.PROJECT))
    flow_id: str = field(default_factory=lambda: new_id(IdPrefix.FLOW))
    screen_id: str = field(default_factory=lambda: new_id(IdPrefix.SCREEN))
    device_id: str = field(default="device/1", kw_only=True)
    number: str = field(default="1", kw_only=True)
    theme_id: str = field(default_factory=lambda: new_id(IdPrefix.THEME))
    experiment_id: str = field(default_factory=lambda: new_id(IdPrefix.EXPERIMENT))
    running_experiment_id: str = field(default_factory=lambda: new_id(IdPrefix.EXPERIMENT))
    other_flow_id: str = field(default_factory=lambda: new_id(IdPrefix.FLOW))
    third_flow_id: str = field(default_factory=lambda: new_id(IdPrefix.FLOW))
    #: Has a version, a draft of another author, and a pending schedule.
    edited_flow_id: str = field(default_factory=lambda: new_id(IdPrefix.FLOW))
    schedule_id: str = field(default_factory=lambda: new_id(IdPrefix.SCHEDULE))
    other_screen_id: str = field(default_factory=lambda: new_id(IdPrefix.SCREEN))
    media_id: str = field(default_factory=lambda: new_id(IdPrefix.MEDIA))
    user_id: str = field(default_factory=lambda: new_id(IdPrefix.USER))
    admin_id: str = field(default_factory=lambda: new_id(IdPrefix.USER))
    newcomer_id: str = field(default_factory=lambda: new_id(IdPrefix.USER))

    def put_into(self, template: Any) -> Any:  # noqa: ANN401 - any JSON
        """Replace the placeholders of a text, or of all texts in JSON."""
        if isinstance(template, dict):
            return {name: self.put_into(value) for name, value in template.items()}
        if isinstance(template, list):
            return [self.put_into(value) for value in template]
        return template.format_map(vars(self)) if isinstance(template, str) else template

    def path_of(self, row: Row) -> str:
        path = row.path
        for parameter, wanted in row.example.about.items():
            path = path.replace(f"{{{parameter}}}", f"{{{wanted}}}")
        return str(self.put_into(path))

    def request_of(self, row: Row) -> dict[str, Any]:
        """Return the arguments of :meth:`User.request` for the row's example."""
        request = {
            "method": row.method,
            "path": f"/api{self.path_of(row)}",
            "params": self.put_into(row.example.query),
        }
        if row.example.upload is not None:
            content, content_type = row.example.upload
            return {**request, "body": content, "content_type": content_type}
        return {**request, "json": self.put_into(row.example.body)}


_SETTINGS = {"platforms": ["ios"], "default_flow_id": None, "analytics_enabled": True, "custom_domain": "a.example"}
_FLOW = {
    "name": "Welcome", "description": "First", "status": "active", "theme_id": "{theme_id}", "priority": 1,
    "targeting": {"percentage": 50, "conditions": []}, "is_default": False,
}  # fmt: skip
_SCREEN = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}, "order": 0}
_THEME = {
    "name": "Dark", "description": "Night", "colors": {"primary": "#112233"}, "typography": {"font": "Inter"},
    "borderRadius": {"card": 8}, "is_default": False,
}  # fmt: skip
_THEME_DOCUMENT = {name: value for name, value in _THEME.items() if name != "is_default"}

_EXPERIMENT = {
    "name": "Shorter", "hypothesis": "Fewer screens, more users", "audience": {"conditions": []},
    "traffic_percentage": 50, "primary_event": "flow_completed",
    "variants": [
        {"key": "a", "name": "As it is", "flow_id": "{flow_id}", "weight": 40, "is_control": True},
        {"key": "b", "name": "Shorter", "flow_id": "{other_flow_id}", "weight": 60, "is_control": False},
    ],
}  # fmt: skip
_RUNNING = {"experiment_id": "running_experiment_id"}

#: The flow with a draft of another author, a version and a schedule.
_EDITED = {"flow_id": "edited_flow_id"}
_DOCUMENT = {"name": "Welcome", "screens": [{"type": "welcome", "content": {"title": "Hi"}, "settings": {}}]}
_SCHEDULE = {"action": "activate", "run_at": format_timestamp(utc_now() + timedelta(days=1)), "note": "Launch"}

_RESOLVE = {
    "deviceId": "d1", "platform": "ios", "appVersion": "1.2.3", "osVersion": "17.1", "locale": "pt-BR", "country": "BR",
    "attributes": {"plan": "pro", "age": 30, "beta": True}, "assignmentToken": "token",
}  # fmt: skip

EXAMPLES = {
    "GET /projects": Example({"search": "a"}),
    "POST /projects": Example(body={"name": "Sample app", "description": "An app", "platforms": ["ios"]}),
    "GET /projects/{project_id}": Example(),
    "PUT /projects/{project_id}": Example(body={"name": "Sample app", "description": "An app", "settings": _SETTINGS}),
    "DELETE /projects/{project_id}": Example(),
    "GET /projects/{project_id}/stats": Example({"period": "7d"}),
    "GET /projects/{project_id}/api-keys": Example(),
    "POST /projects/{project_id}/api-keys/rotate": Example(body={"grace_period_seconds": 60}),
    "GET /projects/{project_id}/members": Example({"sort": "name"}),
    "POST /projects/{project_id}/members": Example(body={"user_id": "{newcomer_id}", "role": "editor"}),
    "GET /projects/{project_id}/members/{user_id}": Example(),
    "PUT /projects/{project_id}/members/{user_id}": Example(body={"role": "editor"}),
    "DELETE /projects/{project_id}/members/{user_id}": Example(),
    "POST /projects/{project_id}/transfer": Example(body={"user_id": "{admin_id}"}),
    "GET /projects/{project_id}/audit-log": Example(),
    "GET /projects/{project_id}/qa-devices": Example(),
    "PUT /projects/{project_id}/qa-devices": Example(body={"devices": {"tester": "{flow_id}"}}),
    "POST /projects/{project_id}/explain": Example(body=_RESOLVE),
    "DELETE /projects/{project_id}/devices/{device_id}": Example(),
    "GET /projects/{project_id}/devices/{device_id}/export": Example(),
    "GET /flows": Example({"projectId": "{project_id}"}),
    "POST /flows": Example(body={"projectId": "{project_id}", **_FLOW}),
    "GET /flows/{flow_id}": Example(),
    "PUT /flows/{flow_id}": Example(body=_FLOW),
    "DELETE /flows/{flow_id}": Example(),
    "POST /flows/{flow_id}/duplicate": Example(body={}),
    "GET /flows/{flow_id}/draft": Example(about=_EDITED),
    "PUT /flows/{flow_id}/draft": Example(body={"document": _DOCUMENT}, about=_EDITED),
    "DELETE /flows/{flow_id}/draft": Example(about=_EDITED),
    "GET /flows/{flow_id}/draft/diff": Example(about=_EDITED),
    "POST /flows/{flow_id}/draft/validate": Example(body={}, about=_EDITED),
    "POST /flows/{flow_id}/draft/approve": Example(body={}, about=_EDITED),
    "POST /flows/{flow_id}/publish": Example(body={"note": "Shorter", "ignore_warnings": True}, about=_EDITED),
    "POST /flows/{flow_id}/preview-link": Example(body={"draft": True}, about=_EDITED),
    "DELETE /flows/{flow_id}/preview-link": Example(about=_EDITED),
    "GET /flows/{flow_id}/versions": Example(about=_EDITED),
    "GET /flows/{flow_id}/versions/{number}": Example(about=_EDITED),
    "GET /flows/{flow_id}/versions/{number}/diff": Example(about=_EDITED),
    "POST /flows/{flow_id}/versions/{number}/restore": Example(body={"to": "live"}, about=_EDITED),
    "GET /flows/{flow_id}/schedules": Example(about=_EDITED),
    "POST /flows/{flow_id}/schedules": Example(body=_SCHEDULE, about=_EDITED),
    "DELETE /flows/{flow_id}/schedules/{schedule_id}": Example(about=_EDITED),
    "GET /projects/{project_id}/flows/order": Example(),
    "PUT /projects/{project_id}/flows/order": Example(
        body={"flow_ids": ["{edited_flow_id}", "{flow_id}", "{other_flow_id}", "{third_flow_id}"]}
    ),
    "PUT /flows/{flow_id}/screens/order": Example(body={"screen_ids": ["{other_screen_id}", "{screen_id}"]}),
    "GET /screens": Example({"flowId": "{flow_id}"}),
    "POST /screens": Example(body={"flowId": "{flow_id}", **_SCREEN}),
    "GET /screens/{screen_id}": Example(),
    "PUT /screens/{screen_id}": Example(body=_SCREEN),
    "DELETE /screens/{screen_id}": Example(),
    "GET /screen-templates": Example({"type": "welcome", "category": "onboarding"}),
    "GET /flow-templates": Example({"category": "health"}),
    "GET /theme-templates": Example(),
    "GET /themes": Example({"projectId": "{project_id}"}),
    "POST /themes": Example(body={"projectId": "{project_id}", **_THEME}),
    "GET /themes/{theme_id}": Example(),
    "PUT /themes/{theme_id}": Example(body=_THEME),
    "DELETE /themes/{theme_id}": Example(),
    "GET /themes/{theme_id}/draft": Example(),
    "PUT /themes/{theme_id}/draft": Example(body={"document": _THEME_DOCUMENT}),
    "DELETE /themes/{theme_id}/draft": Example(),
    "GET /themes/{theme_id}/draft/diff": Example(),
    "POST /themes/{theme_id}/publish": Example(body={"note": "Darker", "ignore_warnings": True}),
    "GET /themes/{theme_id}/versions": Example(),
    "GET /themes/{theme_id}/versions/{number}": Example(),
    "GET /themes/{theme_id}/versions/{number}/diff": Example(),
    "POST /themes/{theme_id}/versions/{number}/restore": Example(body={"to": "live"}),
    "GET /experiments": Example({"projectId": "{project_id}", "status": "draft"}),
    "POST /experiments": Example(body={"projectId": "{project_id}", **_EXPERIMENT}),
    "GET /experiments/estimate": Example({"projectId": "{project_id}", "traffic_percentage": "50"}),
    "GET /experiments/{experiment_id}": Example(),
    "PUT /experiments/{experiment_id}": Example(body=_EXPERIMENT),
    "DELETE /experiments/{experiment_id}": Example(),
    "POST /experiments/{experiment_id}/start": Example(body={}),
    "POST /experiments/{experiment_id}/pause": Example(body={}, about=_RUNNING),
    "POST /experiments/{experiment_id}/complete": Example(body={"winner": "b"}, about=_RUNNING),
    "GET /experiments/{experiment_id}/results": Example(about=_RUNNING),
    "GET /analytics": Example({"projectId": "{project_id}", "flowId": "{flow_id}", "group_by": "screen"}),
    "GET /analytics/paths": Example({"flowId": "{flow_id}", "from": "2026-11-01", "to": "2026-11-20"}),
    "GET /analytics/funnel": Example({"flowId": "{flow_id}", "from": "2026-11-01", "to": "2026-11-20"}),
    "GET /analytics/responses": Example({"flowId": "{flow_id}", "period": "90d", "platform": "ios"}),
    "GET /analytics/events": Example({"projectId": "{project_id}", "period": "30d", "platform": "ios"}),
    "GET /flows/{flow_id}/translations": Example({"locale": "de", "state": "missing"}),
    "GET /flows/{flow_id}/translations/export": Example({"locale": "de", "format": "xliff"}),
    "POST /flows/{flow_id}/translations/import": Example({"locale": "de"}, upload=(b"key,text\r\n", "text/csv")),
    "POST /flows/{flow_id}/translations/draft": Example({"locale": "de"}),
    "GET /projects/{project_id}/translations": Example({"locale": "de", "state": "done"}),
    "GET /projects/{project_id}/translations/export": Example({"locale": "de", "format": "csv"}),
    "POST /projects/{project_id}/translations/import": Example({"locale": "de"}, upload=(b"{}", "application/json")),
    "GET /media": Example({"projectId": "{project_id}", "kind": "image", "search": "a"}),
    "POST /media": Example({"projectId": "{project_id}", "name": "Logo"}, upload=(picture("PNG"), "image/png")),
    "GET /media/{media_id}": Example(),
    "PUT /media/{media_id}": Example(body={"name": "Logo", "alt": "Our logo", "focal_point": {"x": 0.5, "y": 0.25}}),
    "DELETE /media/{media_id}": Example(),
    "GET /user": Example(),
    "GET /user/api-key": Example(),
    "POST /user/api-key/rotate": Example(body={}),
}


@cache
def rows() -> list[Row]:
    """Return every method of every row of the routes table."""
    # Resources connect to nothing until they are asked.
    database = Database(DatabaseSettings(database_url=SecretStr("postgresql://nobody@nowhere/none")))
    vault = KeyVault(SecretStr("A" * 43 + "="))
    quotas = Quotas(*[1] * len(fields(Quotas)))
    return [
        Row(
            method,
            route.path,
            permission,
            EXAMPLES[f"{method} {route.path}"],
            is_list=method == "GET" and get_origin(route.endpoint(method).data) is list,
            body_is_optional=route.endpoint(method).body_is_optional,
        )
        for route in api_routes(database, vault, quotas, TOKENS, PreviewLinks(TICKETS, EDGE_URL), MediaLibrary())
        for method, permission in route.permissions.items()
    ]


def rows_with_a_body() -> list[Row]:
    return [row for row in rows() if row.example.body is not None]


def rows_of_a_project() -> list[Row]:
    """Return the rows that require a role in a project."""
    return [row for row in rows() if not isinstance(row.permission, Access)]


def ids_taken_by(row: Row) -> list[str]:
    """Return the fields of Ids that the example of a row contains."""
    markers = Ids(**{taken.name: f"<{taken.name}>" for taken in fields(Ids)})
    example = str(markers.request_of(row))
    names = [taken.name for taken in fields(Ids) if taken.name not in {"device_id", "number"}]
    return [name for name in names if f"<{name}>" in example]


def seed(management: Management, owner: User) -> Ids:
    """Make a project with one or two of each of its parts, and with a viewer and an admin."""
    project_id = owner.create_project()["id"]
    with management.database.transaction() as session:
        project = session.get_one(Project, project_id)
        project.locales = ["en", "de"]
        theme = add_theme(session, project)
        add_theme_version(session, theme, name="Edited")
        flow, other = add_flow(session, project), add_flow(session, project)
        first, second = add_screen(session, flow), add_screen(session, flow, type="question_text")
        third, edited = add_flow(session, project), add_flow(session, project)
        draft, running = (
            add_experiment(session, other, flow),
            add_experiment(session, other, third, status="running"),
        )
        colleague, admin, newcomer = (add_user(session) for _ in range(3))
        add_screen(session, edited, content={"title": "Hi"})
        add_version(session, edited, name="Edited")
        add_draft(session, edited, colleague, {"name": "Draft"})
        add_theme_draft(session, theme, colleague, name="Draft")
        schedule = add_schedule(session, edited, colleague)
        add_member(session, project, colleague, Role.VIEWER)
        add_member(session, project, admin, Role.ADMIN)
        media = add_media(session, project)
        return Ids(
            project_id=project_id,
            flow_id=flow.id,
            screen_id=first["id"],
            theme_id=theme.id,
            experiment_id=draft.id,
            running_experiment_id=running.id,
            other_flow_id=other.id,
            third_flow_id=third.id,
            edited_flow_id=edited.id,
            schedule_id=schedule.id,
            other_screen_id=second["id"],
            media_id=media.id,
            user_id=colleague.id,
            admin_id=admin.id,
            newcomer_id=newcomer.id,
        )
