"""Development to production: export, apply, apply again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.flows.conftest import Environment, Flows
from tests.support.clients.management import User, data_of

SCREENS: list[dict[str, Any]] = [
    {"type": "welcome", "name": "Hello", "content": {"title": "Grüezi 🎉", "body": "First\nSecond"}, "settings": {}},
    {
        "type": "question_single_choice",
        "name": "Goal",
        "content": {"question": "Why?", "options": [{"value": "no", "label": "No"}, {"value": "1e5", "label": "1e5"}]},
        "settings": {"skippable": True, "delay": 0.5},
    },
    {"type": "custom", "name": None, "content": {"nested": [[], {}, None, -0.0]}, "settings": {}},
]


def furnish(user: User, project_id: str) -> tuple[str, str, str]:
    """Create a theme and three flows in a project; return the ids of the theme and of two flows."""
    theme = {"project_id": project_id, "name": "Dark", "is_default": True, "colors": {"primary": "#112233"}}
    theme_id = data_of(user.post("/api/themes", theme), 201)["id"]
    targeting = {
        "percentage": 12.5,
        "conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
    }
    welcome = user.create_flow(
        project_id,
        "Welcome",
        status="active",
        is_default=True,
        theme_id=theme_id,
        targeting=targeting,
        priority=7,
        screens=SCREENS,
    )
    unfinished = user.create_flow(project_id, "Unfinished", description="no screens yet")
    user.create_flow(project_id, "日本語", status="archived", screens=SCREENS[:1])
    return theme_id, welcome["id"], unfinished["id"]


def files_of(root: Path) -> dict[str, str]:
    """Return the files of a folder apart from the ids."""
    return {
        str(path.relative_to(root)): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.parent.name != "ids"
    }


def listed(user: User, noun: str, project_id: str) -> list[Any]:
    """Return the flows or themes of a project, the oldest first."""
    page = {"project_id": project_id, "sort": "created_at", "limit": "100"}
    items: list[Any] = data_of(user.get(f"/api/{noun}", params=page))
    return items


def state_of(user: User, project_id: str) -> list[Any]:
    """Return everything that clients can edit, and the numbers of versions."""
    flows = listed(user, "flows", project_id)
    themes = listed(user, "themes", project_id)
    details = [data_of(user.get(f"/api/flows/{flow['id']}")) for flow in flows]
    versions = [user.get(f"/api/flows/{flow['id']}/versions").json["pagination"]["total"] for flow in flows]
    return [themes, details, versions]


@pytest.mark.parametrize("file_format", ["yaml", "json"])
def test_export_applied_to_its_project_changes_nothing(
    environment: Environment, flows: Flows, root: Path, file_format: str
) -> None:
    furnish(environment.user, environment.development)
    before = state_of(environment.user, environment.development)
    exported = flows("export", environment.development, "--format", file_format).succeeded()
    assert exported == f"3 flows and 1 theme written to {root}.\n"
    assert files_of(root).keys() == {
        f"onboarding.{file_format}",
        *(f"flows/{key}.{file_format}" for key in ("welcome", "unfinished", "flow")),
        f"themes/dark.{file_format}",
    }
    assert flows("apply", environment.development, "--prune").succeeded() == "Nothing to change.\n"
    assert state_of(environment.user, environment.development) == before
    files = files_of(root)
    flows("export", environment.development).succeeded()
    assert files_of(root) == files


def test_folder_of_development_makes_production_equal(
    environment: Environment, flows: Flows, root: Path, tmp_path: Path
) -> None:
    furnish(environment.user, environment.development)
    flows("export", environment.development).succeeded()
    applied = flows("apply", environment.production).succeeded()
    assert applied.endswith("4 created, 0 unchanged.\n")
    copy = tmp_path / "copy"
    flows("export", environment.production, folder=copy).succeeded()
    assert files_of(copy) == files_of(root)

    before = state_of(environment.user, environment.production)
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"
    # A pipeline whose checkout has no ids of the project finds the flows by their names.
    for ids in (root / "ids").iterdir():
        ids.unlink()
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    assert state_of(environment.user, environment.production) == before


def test_change_keeps_the_ids_of_screens_and_is_one_version(environment: Environment, flows: Flows, root: Path) -> None:
    _, welcome, _ = furnish(environment.user, environment.development)
    flows("export", environment.development).succeeded()
    before = data_of(environment.user.get(f"/api/flows/{welcome}"))
    path = root / "flows/welcome.yaml"
    text = path.read_text().replace("Grüezi", "Salut").replace("priority: 7", "priority: 9")
    path.write_text(
        text.replace("- key: custom\n", "- key: bye\n  type: welcome\n  content:\n    title: Bye\n- key: custom\n")
    )
    dry = flows("apply", environment.development, "--dry-run").succeeded()
    assert dry.splitlines() == [
        "change flow welcome",
        '  screen hello, content/title: "Grüezi 🎉" → "Salut 🎉"',
        "  + screen bye (welcome)",
        "  priority: 7 → 9",
        "Nothing was changed (--dry-run).",
    ]
    assert data_of(environment.user.get(f"/api/flows/{welcome}")) == before
    assert (
        flows("apply", environment.development, "--note", "Release 2").succeeded().endswith("1 changed, 3 unchanged.\n")
    )
    after = data_of(environment.user.get(f"/api/flows/{welcome}"))
    ids = [screen["id"] for screen in after["screens"]]
    assert [ids[0], ids[1], ids[3]] == [screen["id"] for screen in before["screens"]]
    assert (after["priority"], after["status"], after["is_default"]) == (9, "active", True)
    newest = data_of(environment.user.get(f"/api/flows/{welcome}/versions"))[0]
    assert (newest["number"], newest["origin"], newest["note"]) == (2, "published", "Release 2")
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    assert environment.user.get(f"/api/flows/{welcome}/draft").status_code == 404


def test_status_and_default_follow_the_folder(environment: Environment, flows: Flows, root: Path) -> None:
    _, welcome, _ = furnish(environment.user, environment.development)
    flows("export", environment.development).succeeded()
    path, other = root / "flows/welcome.yaml", root / "flows/unfinished.yaml"
    path.write_text(path.read_text().replace("is_default: true", "is_default: false").replace("active", "archived"))
    screens = "screens:\n- key: hi\n  type: welcome\n  content:\n    title: Hi\n"
    text = other.read_text().replace("is_default: false", "is_default: true").replace("status: draft", "status: active")
    other.write_text(text.replace("screens: []\n", screens))
    flows("apply", environment.development).succeeded()
    found = listed(environment.user, "flows", environment.development)
    states = {flow["name"]: (flow["status"], flow["is_default"]) for flow in found}
    assert states["Welcome"] == ("archived", False)
    assert states["Unfinished"] == ("active", True)
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    assert len(data_of(environment.user.get(f"/api/flows/{welcome}/versions"))) == 1


def test_themes_change_and_the_default_moves(environment: Environment, flows: Flows, root: Path) -> None:
    furnish(environment.user, environment.development)
    flows("export", environment.development).succeeded()
    dark = root / "themes/dark.yaml"
    text = dark.read_text()
    dark.write_text(text.replace("is_default: true", "is_default: false").replace("112233", "445566"))
    (root / "themes/light.yaml").write_text(text.replace("name: Dark", "name: Light"))
    output = flows("apply", environment.development).succeeded()
    assert '  colors/primary: "#112233" → "#445566"' in output
    themes = listed(environment.user, "themes", environment.development)
    found = {theme["name"]: (theme["is_default"], theme["colors"]["primary"]) for theme in themes}
    assert found == {"Dark": (False, "#445566"), "Light": (True, "#112233")}
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"


def test_one_flow_is_exported_and_applied_with_its_theme(environment: Environment, flows: Flows, root: Path) -> None:
    _, welcome, _ = furnish(environment.user, environment.development)
    flows("export", environment.development, "--flow", welcome).succeeded()
    assert files_of(root).keys() == {"onboarding.yaml", "flows/welcome.yaml", "themes/dark.yaml"}
    (root / "flows/other.yaml").write_text("name: Other\n")
    flows("apply", environment.production, "--flow", "welcome").succeeded()
    found = listed(environment.user, "flows", environment.production)
    assert [flow["name"] for flow in found] == ["Welcome"]
    missing = flows("apply", environment.production, "--flow", "nothing").failed()
    assert missing == "onboarding: flows/nothing.yaml: the file does not exist\n"
    missing = flows("export", environment.development, "--flow", "flow_nothing").failed()
    assert missing == "onboarding: the project has no flow flow_nothing\n"


def test_flows_with_one_name_are_distinguished_by_their_ids(environment: Environment, flows: Flows, root: Path) -> None:
    for _ in range(2):
        environment.user.create_flow(environment.development, "Twin")
    flows("export", environment.development).succeeded()
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    assert flows("apply", environment.production).succeeded().endswith("2 created, 0 unchanged.\n")
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"
    shutil.rmtree(root / "ids")
    assert "several are named 'Twin'" in flows("apply", environment.production).failed()


def test_logic_names_the_screens_of_each_project(environment: Environment, flows: Flows, root: Path) -> None:
    user = environment.user
    flow = user.create_flow(environment.development, "Logic", status="active", screens=[SCREENS[1]] * 2 + [SCREENS[0]])
    first, second, third = (screen["id"] for screen in flow["screens"])
    held = {"attribute": f"answers.{first}", "operator": "eq", "value": "no"}
    data_of(user.put(f"/api/screens/{first}", {"next": [{"id": "no", "when": [held], "go_to": third}]}))
    data_of(user.put(f"/api/screens/{second}", {"show_if": [held], "next": [{"when": [], "go_to": "end"}]}))
    data_of(user.put(f"/api/screens/{third}", {"content": {"title": f"You said {{{{answers.{second}}}}}"}}))
    data_of(user.put(f"/api/flows/{flow['id']}", {"variables": [{"name": "why", "formula": f"answers.{second}"}]}))
    flows("export", environment.development).succeeded()
    before = files_of(root)
    [text] = [text for name, text in before.items() if name.startswith("flows/")]
    assert "screen_" not in text
    assert "go_to: hello" in text
    assert "formula: answers.goal_2" in text

    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    flows("apply", environment.production).succeeded()
    [copied] = listed(user, "flows", environment.production)
    copy = data_of(user.get(f"/api/flows/{copied['id']}"))
    own = [screen["id"] for screen in copy["screens"]]
    assert copy["status"] == "active"
    assert copy["screens"][0]["next"][0]["go_to"] == own[2]
    assert copy["screens"][1]["show_if"] == [{**held, "attribute": f"answers.{own[0]}"}]
    assert copy["screens"][2]["content"]["title"] == f"You said {{{{answers.{own[1]}}}}}"
    assert copy["variables"] == [{"name": "why", "formula": f"answers.{own[1]}"}]
    state = state_of(user, environment.production)
    flows("apply", environment.production).succeeded()
    assert state_of(user, environment.production) == state


def test_rule_without_a_target_is_refused(environment: Environment, flows: Flows, root: Path) -> None:
    environment.user.create_flow(environment.development, "Logic", screens=SCREENS[:1])
    flows("export", environment.development).succeeded()
    [path] = (root / "flows").iterdir()
    path.write_text(path.read_text() + "  next:\n  - {id: a, when: [], go_to: nowhere}\n")
    line = len(path.read_text().splitlines())
    refused = flows("apply", environment.development).failed()
    assert f"{path.name}: line {line}: screen hello, next/0/go_to: must be a screen of the flow, or end" in refused


def test_translations_travel_with_their_flow(environment: Environment, flows: Flows, root: Path) -> None:
    user = environment.user
    for project_id in (environment.development, environment.production):
        user.put(f"/api/projects/{project_id}", {"settings": {"locales": ["en", "de"]}})
    german = {
        "/title": {"text": "Grüezi", "source": "Grüezi 🎉"},
        "/body": {"text": "Erst\nDann", "source": "First\nSecond"},
    }
    screens = [{**SCREENS[0], "localizations": {"de": german}}]
    user.create_flow(environment.development, "Welcome", status="active", screens=screens)
    flows("export", environment.development).succeeded()
    assert "translations/welcome/de.json" in files_of(root)
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"
    flows("apply", environment.production).succeeded()
    [copied] = listed(user, "flows", environment.production)
    [screen] = data_of(user.get(f"/api/flows/{copied['id']}"))["screens"]
    assert screen["localizations"] == {"de": german}
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"
