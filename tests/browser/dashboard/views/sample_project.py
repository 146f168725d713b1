"""A project with a part of everything: flows, a theme, experiments, members, and events of the last days."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from tests.browser.dashboard.views.sample_events import SampleFlow, store_events
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_THEME = {
    "name": "Meadow",
    "colors": {"primary": "#0f766e", "background": "#ffffff", "text": "#10201e"},
    "typography": {"headline": {"fontFamily": "system-ui", "fontSize": 28}, "body": {"fontSize": 17}},
    "borderRadius": {"button": 14, "card": 18},
    "is_default": True,
}
_WELCOME = (
    "welcome_greeting",
    "feature_highlight",
    "question_goal",
    "question_interests",
    "permissions_notifications",
    "paywall_trial",
)
_SHORT = ("welcome_greeting", "question_goal", "paywall_trial")
#: The flows in the order of their evaluation: name, templates, and the rest of the request.
_FLOWS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    (
        "Spring offer",
        ("feature_list", "paywall_trial"),
        {"status": "active", "targeting": {"conditions": [{"attribute": "country", "operator": "eq", "value": "DE"}]}},
    ),
    (
        "Android tour",
        ("feature_highlight", "permissions_notifications"),
        {
            "status": "active",
            "targeting": {
                "percentage": 50,
                "conditions": [{"attribute": "platform", "operator": "eq", "value": "android"}],
            },
        },
    ),
    ("Welcome", _WELCOME, {"status": "active", "is_default": True, "description": "What new users see first"}),
    ("Short welcome", _SHORT, {"status": "draft", "description": "Three screens instead of six"}),
    ("Winter campaign", ("feature_highlight", "paywall_trial"), {"status": "archived"}),
)
#: The titles of the first screen of an edited flow, with the notes of those that are published.
_EDITS = (
    ("Name the season", "What spring brings"),
    ("Shorter words", "New in spring"),
    ("", "New in spring: one month free"),
)
OWNER, EDITOR, VIEWER = "ada@example.com", "grace@example.com", "alan@example.com"
_DAYS = 30


@dataclass(frozen=True)
class SampleProject:
    """The ids of the project and of the parts that have views of their own."""

    project_id: str
    flow_id: str
    theme_id: str
    experiment_id: str
    #: A flow with three versions and a draft.
    edited_flow_id: str
    draft_experiment_id: str

    def address(self, path: str) -> str:
        """Return the address of a view: its path with the ids of this project in place of the parameters."""
        ids = {
            "$projectId": self.project_id,
            "$editedFlowId": self.edited_flow_id,
            "$flowId": self.flow_id,
            "$themeId": self.theme_id,
            # The form of this address is that of drafts.
            "$experimentId/edit": f"{self.draft_experiment_id}/edit",
            "$experimentId": self.experiment_id,
        }
        for parameter, value in ids.items():
            path = path.replace(parameter, value)
        return "/dashboard" + path


def create_sample_project(api: httpx.Client, stack: RunningStack, *, users_a_day: int) -> SampleProject:
    """Create the project for the user of a client, and store the events of its users."""
    project = _post(api, "/projects", {"name": "Meadow", "platforms": ["ios", "android"]})
    project_id = str(project["id"])
    theme = _post(api, "/themes", {"projectId": project_id, **_THEME})
    flows = dict(_create_flows(api, project_id, theme["id"]))
    edited = flows["Spring offer"]
    for note, title in _EDITS:
        _edit_draft(api, edited, title)
        if note:
            api.post(f"/flows/{edited['id']}/publish", json={"note": note}).raise_for_status()
    _add_members(api, stack, project_id)
    devices = {"qa-phone-1": flows["Short welcome"]["id"]}
    api.put(f"/projects/{project_id}/qa-devices", json={"devices": devices}).raise_for_status()
    long, short = flows["Welcome"], flows["Short welcome"]
    draft_experiment_id, experiment_id = _create_experiments(api, project_id, long["id"], short["id"])
    users = (
        SampleFlow(long["id"], long["screens"], 4, experiment_id, "control"),
        SampleFlow(short["id"], short["screens"], 4, experiment_id, "short", go_on=0.86),
        SampleFlow(edited["id"], edited["screens"], 2),
        SampleFlow(flows["Android tour"]["id"], flows["Android tour"]["screens"], 1),
    )
    store_events(stack, project_id, users, days=_DAYS, users_a_day=users_a_day)
    eventually(lambda: _get(api, f"/projects/{project_id}/stats", period="7d")["overview"]["total_users"] > 0)
    return SampleProject(project_id, long["id"], theme["id"], experiment_id, edited["id"], draft_experiment_id)


def _create_flows(api: httpx.Client, project_id: str, theme_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    templates = {template["id"]: template for template in _get(api, "/screen-templates", limit=100)}
    for name, screens, rest in _FLOWS:
        shown = [
            {"type": templates[screen]["type"], "name": templates[screen]["name"], "content": content}
            for screen in screens
            if (content := templates[screen]["default_content"])
        ]
        flow = {"projectId": project_id, "theme_id": theme_id, "name": name, "screens": shown, **rest}
        created = _post(api, "/flows", flow)
        yield name, _get(api, f"/flows/{created['id']}")


def _edit_draft(api: httpx.Client, flow: dict[str, Any], title: str) -> None:
    """Set the title of the first screen of a flow in its draft, as an editor does."""
    document = {name: flow[name] for name in ("name", "description", "theme_id", "priority", "targeting")}
    screens = [{name: screen[name] for name in ("id", "type", "name", "content")} for screen in flow["screens"]]
    screens[0]["content"] = {**screens[0]["content"], "title": title}
    draft = {"document": {**document, "screens": screens}}
    api.put(f"/flows/{flow['id']}/draft", json=draft).raise_for_status()


def _add_members(api: httpx.Client, stack: RunningStack, project_id: str) -> None:
    for email, role in ((EDITOR, "editor"), (VIEWER, "viewer")):
        signed_in = {"Authorization": f"Bearer {stack.token(email)}"}
        httpx.get(f"{stack.management_url}/api/user", headers=signed_in, trust_env=False).raise_for_status()
        _post(api, f"/projects/{project_id}/members", {"email": email, "role": role})


def _create_experiments(api: httpx.Client, project_id: str, long: str, short: str) -> tuple[str, str]:
    """Create a draft and a running experiment; return their ids."""
    variants = [
        {"key": "control", "name": "Six screens", "flow_id": long, "weight": 50, "is_control": True},
        {"key": "short", "name": "Three screens", "flow_id": short, "weight": 50},
    ]
    draft = {"name": "Question before the tour", "traffic_percentage": 20}
    running = {"name": "Shorter welcome", "hypothesis": "With fewer screens more users complete the welcome."}
    draft_id = str(_post(api, "/experiments", {"projectId": project_id, "variants": variants, **draft})["id"])
    experiment_id = str(_post(api, "/experiments", {"projectId": project_id, "variants": variants, **running})["id"])
    api.post(f"/experiments/{experiment_id}/start").raise_for_status()
    return draft_id, experiment_id


def _post(api: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = api.post(path, json=body)
    assert response.is_success, response.text
    created: dict[str, Any] = response.json()["data"]
    return created


def _get(api: httpx.Client, path: str, **parameters: str | int) -> Any:  # noqa: ANN401 - the data of a response
    return api.get(path, params=parameters).raise_for_status().json()["data"]
