"""The demo project of a local stack, created through the management API unless it exists."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from cli.demo.api_client import ApiClient
from cli.demo.personalised_plan import PERSONALISED_PLAN
from cli.errors import CommandError
from common.redis.connect import connect
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import decode_snapshot

DEMO_EMAIL = "demo@example.com"
_TIMEOUT_SECONDS = 2.0
_PROJECT_NAME = "Demo app"
_THEME = {
    "name": "Daylight",
    "description": "Calm colours for a first day",
    "colors": {"primary": "#3355ff", "background": "#ffffff", "text": "#111827"},
    "typography": {"headline": {"fontFamily": "system-ui", "fontSize": 28}, "body": {"fontSize": 16}},
    "borderRadius": {"button": 12, "card": 16},
    "is_default": True,
}
_WELCOME_FLOW = {
    "name": "Welcome",
    "description": "What everybody sees first",
    "status": "active",
    "is_default": True,
    "screens": [
        {
            "type": "welcome",
            "name": "Hello",
            "content": {
                "title": "Welcome to {{app_name}}",
                "subtitle": "Two short questions, then everything is ready for you.",
                "illustration": "welcome",
                "primary_button": {"label": "Get started", "action": "next"},
            },
        },
        {
            "type": "question_single_choice",
            "name": "Your goal",
            "content": {
                "question": "What brings you here?",
                "hint": "We begin with what matters most to you.",
                "answer_key": "goal",
                "options": ["Health", "Work", "Curiosity"],
            },
        },
        {
            "type": "permissions",
            "name": "Reminders",
            "content": {
                "title": "May we remind you?",
                "description": "One message a day, at a time that you choose. You can stop it whenever you like.",
                "permission": "notifications",
                "icon": "bell",
                "primary_button": {"label": "Allow notifications", "action": "request_permission"},
                "secondary_button": {"label": "Not now", "action": "next"},
            },
            "settings": {"skippable": True},
        },
    ],
}
_TOUR_FLOW = {
    "name": "Feature tour",
    "description": "A tour for a fifth of the devices",
    "status": "active",
    "priority": 10,
    "targeting": {"percentage": 20, "conditions": []},
    "screens": [
        {
            "type": "feature",
            "name": "Plan",
            "content": {
                "title": "Plan your day",
                "description": "Put the few things that count first, and see what is done.",
                "image": "plan",
            },
        },
        {
            "type": "feature",
            "name": "Share",
            "content": {
                "title": "Share with friends",
                "description": "Invite people to a plan, and finish it together.",
                "image": "share",
                "primary_button": {"label": "Done", "action": "next"},
            },
        },
    ],
}
_PLAN_FLOW = {
    **PERSONALISED_PLAN,
    "status": "active",
    "targeting": {"conditions": [{"attribute": "attributes.journey", "operator": "eq", "value": "plan"}]},
}
DEMO_FLOWS = (_WELCOME_FLOW, _TOUR_FLOW, _PLAN_FLOW)


@dataclass(frozen=True, slots=True)
class DemoProject:
    """The credentials of the demo project and its owner."""

    project_id: str
    secret_key: str = field(repr=False)
    api_key: str = field(repr=False)


def seed_demo_project(management_url: str, token: str) -> DemoProject:
    """Find or create the demo project of the token's user; parts that an interrupted run left out are added."""
    api = ApiClient(management_url, {"Authorization": f"Bearer {token}"})
    api_key = api.get("/api/user/api-key")["api_key"]
    project = _named(api.get("/api/projects", search=_PROJECT_NAME, sort="created_at", limit="100"), _PROJECT_NAME)
    if project is None:
        project = api.post(
            "/api/projects", {"name": _PROJECT_NAME, "description": "Made by the local stack to play with"}
        )
    project_id = str(project["id"])
    theme_id = _find_or_create(api, "/api/themes", project_id, _THEME)
    for flow in DEMO_FLOWS:
        _find_or_create(api, "/api/flows", project_id, {**flow, "theme_id": theme_id}, _create_flow)
    return DemoProject(project_id, _secret_key(api, project_id), api_key)


def is_at_edge(edge_url: str, demo: DemoProject) -> bool:
    """Return whether the edge has the complete demo project. A resolve would count a user that does not exist."""
    edge = ApiClient(edge_url, {"X-Project-Id": demo.project_id, "X-Secret-Key": demo.secret_key})
    flows = edge.get_public("/api/config").get("flows", [])
    return {flow["name"] for flow in flows} >= {flow["name"] for flow in DEMO_FLOWS}


def page_url(edge_url: str, demo: DemoProject) -> str | None:
    """Return the address of the hosted page of the demo project's first flow, which a browser can open for days."""
    edge = ApiClient(edge_url, {"X-Project-Id": demo.project_id, "X-Secret-Key": demo.secret_key})
    flow = _named(edge.get_public("/api/config").get("flows", []), str(_WELCOME_FLOW["name"]))
    found = edge.get_public("/api/global-config", apiKey=demo.secret_key, projectId=demo.project_id)
    return f"{found['backendDomain']}/onboarding/{flow['id']}/1" if flow and found else None


def is_published(redis_url: str, project_id: str) -> bool:
    """Return whether the demo project's snapshot in Redis has all flows. A request to the edge would be counted."""
    try:
        with connect(redis_url, reply_seconds=_TIMEOUT_SECONDS, connect_seconds=_TIMEOUT_SECONDS) as client:
            body = client.hget(snapshot_key(project_id), "body")
    except RedisError:
        return False
    return isinstance(body, bytes) and len(decode_snapshot(body).flow_ids) >= len(DEMO_FLOWS)


def _create(api: ApiClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = api.post(path, body)
    return created


def _create_flow(api: ApiClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Create a flow, and then its rules, which name screens by the ids that they got."""
    screens = [{name: screen[name] for name in screen.keys() - {"key", "next"}} for screen in body["screens"]]
    flow = _create(api, path, {**body, "screens": screens})
    ids = {wanted.get("key"): made["id"] for wanted, made in zip(body["screens"], flow["screens"], strict=True)}
    for wanted in body["screens"]:
        if "next" in wanted:
            rules = [{**rule, "go_to": ids[rule["go_to"]]} for rule in wanted["next"]]
            api.put(f"/api/screens/{ids[wanted['key']]}", {"next": rules})
    return flow


def _find_or_create(
    api: ApiClient,
    path: str,
    project_id: str,
    wanted: dict[str, Any],
    create: Callable[[ApiClient, str, dict[str, Any]], dict[str, Any]] = _create,
) -> str:
    found = _named(api.get(path, projectId=project_id, limit="100"), wanted["name"])
    if found is None:
        found = create(api, path, {"projectId": project_id, **wanted})
    return str(found["id"])


def _named(items: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    return next((item for item in items if item["name"] == name), None)


def _secret_key(api: ApiClient, project_id: str) -> str:
    keys = api.get(f"/api/projects/{project_id}/api-keys")["secret_keys"]
    # Keys that expire are being replaced.
    lasting = [key for key in keys if key["expires_at"] is None] or keys
    if not lasting:
        raise CommandError("the demo project has no secret key; rotate one")
    return str(lasting[0]["secret_key"])
