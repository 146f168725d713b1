"""The demo project of a local stack, created through the management API unless it exists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from cli.demo.api_client import ApiClient
from cli.errors import CommandError
from common.redis.connect import connect
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import decode_snapshot

DEMO_EMAIL = "demo@example.com"
_TIMEOUT_SECONDS = 2.0
_PROJECT_NAME = "Demo app"
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
                "illustration": "podium",
                "primary_button": {"label": "Get started", "action": "next"},
            },
            "settings": {"layout": "hero"},
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
#: The template whose theme the first flows have.
_DEFAULT_LOOK = "welcome_tour"
#: The flows made from templates of the service, by the ids of these: the members that the demo project adds.
_FROM_TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "personalised_plan": {
        "status": "active",
        "targeting": {"conditions": [{"attribute": "attributes.journey", "operator": "eq", "value": "plan"}]},
    },
    "welcome_tour": {"status": "draft"},
    "free_trial": {"status": "draft"},
    "quiz_to_paywall": {"status": "draft"},
}
#: The names of the flows that every device may get, so the edge has them.
_LIVE_FLOWS = frozenset({"Welcome", "Feature tour", "Personalised plan"})


def _variant(key: str, name: str, flow: str, *, is_control: bool = False) -> dict[str, Any]:
    return {"key": key, "name": name, "flow": flow, "weight": 50, "is_control": is_control}


#: Experiments whose variants name flows. One is running for a part of the devices, one is decided.
_TRIAL_EXPERIMENT = {
    "name": "Quiz before the paywall",
    "hypothesis": "People who have answered five questions about themselves start the trial more often.",
    "audience": {"conditions": [{"attribute": "attributes.journey", "operator": "eq", "value": "trial"}]},
    "primary_event": "paywall_purchase_chosen",
    "variants": [
        _variant("tour", "Tour, then paywall", "Free trial", is_control=True),
        _variant("quiz", "Quiz, then paywall", "Quiz to paywall"),
    ],
}
_WELCOME_EXPERIMENT = {
    "name": "A question in place of a tour",
    "hypothesis": "One question about the goal keeps more people than four screens about the app.",
    "variants": [
        _variant("tour", "Welcome tour", "Welcome tour", is_control=True),
        _variant("question", "One question", "Welcome"),
    ],
}
_WINNER = "question"


@dataclass(frozen=True, slots=True)
class DemoProject:
    """The credentials of the demo project and its owner."""

    project_id: str
    secret_key: str = field(repr=False)
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DemoContent:
    """The flows and experiments of the demo project, as the service returns them, by their names."""

    project_id: str
    flows: Mapping[str, Mapping[str, Any]]
    experiments: Mapping[str, Mapping[str, Any]]


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
    templates = {template["id"]: template for template in api.get("/api/flow-templates", limit="100")}
    theme_ids: dict[str, str] = {}
    for template in (templates[_DEFAULT_LOOK], *(templates[name] for name in _FROM_TEMPLATES)):
        theme = {**template["theme"], "is_default": not theme_ids}
        theme_ids[theme["name"]] = _find_or_create(api, "/api/themes", project_id, theme)["id"]
    theme_id = next(iter(theme_ids.values()))
    wanted: list[Mapping[str, Any]] = [{**flow, "theme_id": theme_id} for flow in (_WELCOME_FLOW, _TOUR_FLOW)]
    for name, members in _FROM_TEMPLATES.items():
        template = templates[name]
        wanted.append({**template["document"], **members, "theme_id": theme_ids[template["theme"]["name"]]})
    flows = {flow["name"]: _find_or_create(api, "/api/flows", project_id, flow) for flow in wanted}
    flow_ids = {name: flow["id"] for name, flow in flows.items()}
    _start_experiment(api, project_id, _TRIAL_EXPERIMENT, flow_ids)
    # Its completion makes the winner's flow the default one. A default that the user has chosen stays.
    if flows["Welcome"]["is_default"]:
        decided = _start_experiment(api, project_id, _WELCOME_EXPERIMENT, flow_ids)
        if decided["status"] == "running":
            api.post(f"/api/experiments/{decided['id']}/complete", {"winner": _WINNER})
    return DemoProject(project_id, _secret_key(api, project_id), api_key)


def read_demo_content(management_url: str, token: str, project_id: str) -> DemoContent:
    """Return the content of the demo project."""
    api = ApiClient(management_url, {"Authorization": f"Bearer {token}"})
    listed = api.get("/api/flows", projectId=project_id, limit="100")
    flows = {flow["name"]: api.get(f"/api/flows/{flow['id']}") for flow in listed}
    experiments = api.get("/api/experiments", projectId=project_id, limit="100")
    return DemoContent(project_id, flows, {experiment["name"]: experiment for experiment in experiments})


def is_at_edge(edge_url: str, demo: DemoProject) -> bool:
    """Return whether the edge has the complete demo project. A resolve would count a user that does not exist."""
    edge = ApiClient(edge_url, {"X-Project-Id": demo.project_id, "X-Secret-Key": demo.secret_key})
    flows = edge.get_public("/api/config").get("flows", [])
    return {flow["name"] for flow in flows} >= _LIVE_FLOWS


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
    return isinstance(body, bytes) and len(decode_snapshot(body).flow_ids) >= len(_LIVE_FLOWS)


def _find_or_create(api: ApiClient, path: str, project_id: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    found = _named(api.get(path, projectId=project_id, limit="100"), wanted["name"])
    return found or dict(api.post(path, {"projectId": project_id, **wanted}))


def _start_experiment(
    api: ApiClient, project_id: str, wanted: Mapping[str, Any], flow_ids: Mapping[str, str]
) -> dict[str, Any]:
    """Return an experiment, made and started unless it is there. Its variants name flows by their names."""
    variants = [
        {name: value for name, value in variant.items() if name != "flow"} | {"flow_id": flow_ids[variant["flow"]]}
        for variant in wanted["variants"]
    ]
    experiment = _find_or_create(api, "/api/experiments", project_id, {**wanted, "variants": variants})
    if experiment["status"] == "draft":
        experiment = dict(api.post(f"/api/experiments/{experiment['id']}/start", {}))
    return experiment


def _named(items: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    return next((item for item in items if item["name"] == name), None)


def _secret_key(api: ApiClient, project_id: str) -> str:
    keys = api.get(f"/api/projects/{project_id}/api-keys")["secret_keys"]
    # Keys that expire are being replaced.
    lasting = [key for key in keys if key["expires_at"] is None] or keys
    if not lasting:
        raise CommandError("the demo project has no secret key; rotate one")
    return str(lasting[0]["secret_key"])
