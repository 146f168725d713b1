"""`onboarding flows apply`: drafts, removals, conflicts, lost responses, kills and refusals."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from management_api.db.models.projects import Role
from tests.integration.cli.flows.conftest import Ended, Environment, Flows
from tests.support.clients.management import User, data_of
from tests.support.polling import eventually

CONFLICT = "conflict: someone else has changed the flow since it was compared; apply again to see the difference"
NOTHING = "Nothing to change.\n"


@pytest.fixture
def flow_id(environment: Environment, flows: Flows) -> str:
    """Return an active flow of the project in development, which is exported."""
    screens = [{"type": "welcome", "name": "Hello", "content": {"title": "Welcome"}}]
    flow = environment.user.create_flow(environment.development, "Welcome", status="active", screens=screens)
    flows("export", environment.development).succeeded()
    return str(flow["id"])


def rewrite(root: Path, before: str, after: str, path: str = "flows/welcome.yaml") -> None:
    """Replace a text of a file, which must have it."""
    text = (root / path).read_text()
    assert before in text
    (root / path).write_text(text.replace(before, after))


def title_of(user: User, flow_id: str) -> str:
    return str(data_of(user.get(f"/api/flows/{flow_id}"))["screens"][0]["content"]["title"])


def versions_of(user: User, flow_id: str) -> list[Any]:
    """Return the versions of a flow, the newest first."""
    versions: list[Any] = data_of(user.get(f"/api/flows/{flow_id}/versions"))
    return versions


# --- drafts ---


def test_draft_option_saves_drafts_and_changes_nothing_live(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    rewrite(root, "title: Welcome", "title: Hi")
    (root / "flows/new.yaml").write_text("name: New\nstatus: active\nscreens:\n- {key: a, type: custom}\n")
    assert flows("apply", environment.development, "--draft").succeeded().endswith("2 saved as drafts, 0 unchanged.\n")
    assert title_of(environment.user, flow_id) == "Welcome"
    draft = data_of(environment.user.get(f"/api/flows/{flow_id}/draft"))
    assert draft["document"]["screens"][0]["content"]["title"] == "Hi"
    assert flows("apply", environment.development, "--draft").succeeded() == NOTHING
    # A later state of the same pipeline replaces its draft.
    rewrite(root, "title: Hi", "title: Salut")
    flows("apply", environment.development, "--draft").succeeded()
    flows("apply", environment.development).succeeded()
    assert title_of(environment.user, flow_id) == "Salut"
    assert flows("apply", environment.development).succeeded() == NOTHING
    assert environment.user.get(f"/api/flows/{flow_id}/draft").status_code == 404


@pytest.mark.usefixtures("flow_id")
def test_draft_option_saves_the_draft_of_a_theme(environment: Environment, flows: Flows, root: Path) -> None:
    user, project_id = environment.user, environment.development
    (root / "themes").mkdir(exist_ok=True)
    (root / "themes/brand.yaml").write_text("name: Brand\n")
    flows("apply", project_id).succeeded()
    [theme] = data_of(user.get("/api/themes", params={"projectId": project_id}))
    path = f"/api/themes/{theme['id']}"
    (root / "themes/brand.yaml").write_text("name: Brand\nspacing: airy\n")
    assert flows("apply", project_id, "--draft").succeeded().endswith("1 saved as drafts, 1 unchanged.\n")
    assert data_of(user.get(f"{path}/draft"))["document"]["spacing"] == "airy"
    assert data_of(user.get(path)) == theme
    assert flows("apply", project_id, "--draft").succeeded() == NOTHING
    flows("apply", project_id).succeeded()
    assert data_of(user.get(path))["spacing"] == "airy"
    assert user.get(f"{path}/draft").status_code == 404


def test_draft_of_another_user_is_kept_without_the_option(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    editor = environment.management.member("bob", environment.development, Role.EDITOR)
    draft = {"document": {"name": "Bob's"}}
    assert editor.put(f"/api/flows/{flow_id}/draft", draft).status_code == 201
    rewrite(root, "title: Welcome", "title: Hi")
    for option in ((), ("--draft",)):
        errors = flows("apply", environment.development, *option).failed()
        assert errors.startswith("onboarding: flows/welcome.yaml: another user has saved a draft")
    assert data_of(editor.get(f"/api/flows/{flow_id}/draft"))["document"]["name"] == "Bob's"
    flows("apply", environment.development, "--replace-drafts").succeeded()
    assert title_of(environment.user, flow_id) == "Hi"


def test_project_with_approvals_takes_drafts_and_publishes_approved_ones(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    settings = {"settings": {"required_approvals": 1}}
    data_of(environment.user.put(f"/api/projects/{environment.development}", settings))
    editor = environment.management.member("bob", environment.development, Role.EDITOR)
    rewrite(root, "title: Welcome", "title: Hi")
    assert "the project requires approvals: apply with --draft" in flows("apply", environment.development).failed()
    flows("apply", environment.development, "--draft").succeeded()
    assert "has 0 of 1 approvals" in flows("apply", environment.development).failed()
    data_of(editor.post(f"/api/flows/{flow_id}/draft/approve"))
    flows("apply", environment.development).succeeded()
    assert title_of(environment.user, flow_id) == "Hi"
    assert flows("apply", environment.development).succeeded() == NOTHING


# --- all or nothing ---


def test_invalid_flow_stays_and_other_flows_change(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    rewrite(root, "title: Welcome", "subtitle: Only")
    (root / "flows/other.yaml").write_text("name: Other\n")
    errors = flows("apply", environment.development).failed()
    assert "onboarding: flows/welcome.yaml: line 14: screen hello, content/title: is required\n" in errors
    assert title_of(environment.user, flow_id) == "Welcome"
    assert environment.user.get(f"/api/flows/{flow_id}/draft").status_code == 404
    names = data_of(environment.user.get("/api/flows", params={"project_id": environment.development}))
    assert {flow["name"] for flow in names} == {"Welcome", "Other"}


def test_new_active_flow_with_errors_is_refused_before_anything_changes(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    rewrite(root, "title: Welcome", "title: Hi")
    (root / "flows/other.yaml").write_text("name: Other\nstatus: active\nscreens:\n- {key: ask, type: paywall}\n")
    errors = flows("apply", environment.development).failed()
    assert errors == "onboarding: flows/other.yaml: line 4: screen ask, content/products: is required\n"
    assert title_of(environment.user, flow_id) == "Welcome"


def test_warnings_need_the_option(environment: Environment, flows: Flows, root: Path, flow_id: str) -> None:
    screens = "".join(
        f"- key: pay-{n}\n  type: paywall\n  content:\n    products: [{{product_id: p}}]\n" for n in range(2)
    )
    (root / "flows/welcome.yaml").write_text(f"name: Welcome\nscreens:\n{screens}")
    errors = flows("apply", environment.development).failed()
    assert "screen pay-1: is a paywall that follows a paywall" in errors
    assert "--ignore-warnings publishes it anyway" in errors
    assert len(versions_of(environment.user, flow_id)) == 1
    flows("apply", environment.development, "--ignore-warnings").succeeded()
    assert len(versions_of(environment.user, flow_id)) == 2


# --- removals ---


def test_prune_archives_flows_and_deletes_unused_themes(environment: Environment, flows: Flows, flow_id: str) -> None:
    user, project_id = environment.user, environment.development
    theme = data_of(user.post("/api/themes", {"project_id": project_id, "name": "Old"}), 201)["id"]
    used = data_of(user.post("/api/themes", {"project_id": project_id, "name": "Used"}), 201)["id"]
    old = user.create_flow(project_id, "Old", status="active", theme_id=used)["id"]
    assert flows("apply", project_id).succeeded() == NOTHING
    dry = flows("apply", project_id, "--prune", "--dry-run").succeeded()
    assert f'archive flow "Old" ({old})' in dry
    assert data_of(user.get(f"/api/flows/{old}"))["status"] == "active"
    pruned = flows("apply", project_id, "--prune").succeeded()
    assert 'note: theme "Used" stays: the archived flow "Old" uses it' in pruned
    assert pruned.endswith("1 archived, 1 deleted, 1 unchanged.\n")
    assert data_of(user.get(f"/api/flows/{old}"))["status"] == "archived"
    assert user.get(f"/api/themes/{theme}").status_code == 404
    assert data_of(user.get(f"/api/flows/{flow_id}"))["status"] == "active"
    assert "archive" not in flows("apply", project_id, "--prune").succeeded().replace("archived flow", "")


def test_prune_refuses_the_default_flow_and_flows_of_experiments(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    user, project_id = environment.user, environment.development
    default = user.create_flow(project_id, "Fallback", status="active", is_default=True)["id"]
    tested = user.create_flow(project_id, "Tested", status="active")["id"]
    variants = [
        {"key": "a", "name": "A", "flow_id": flow_id, "weight": 50, "is_control": True},
        {"key": "b", "name": "B", "flow_id": tested, "weight": 50},
    ]
    body = {"project_id": project_id, "name": "Test", "variants": variants}
    experiment = data_of(user.post("/api/experiments", body), 201)["id"]
    data_of(user.post(f"/api/experiments/{experiment}/start"))
    for option in ((), ("--dry-run",)):
        lines = flows("apply", project_id, "--prune", *option).failed().splitlines()
        assert [default in lines[0], tested in lines[1], "active experiment" in lines[1]] == [True] * 3
    (root / "flows/fallback.yaml").write_text(
        "name: New fallback\nstatus: active\nis_default: true\nscreens:\n- {key: a, type: custom}\n"
    )
    assert len(flows("apply", project_id, "--prune").failed().splitlines()) == 1
    data_of(user.post(f"/api/experiments/{experiment}/complete", {}))
    flows("apply", project_id, "--prune").succeeded()
    assert data_of(user.get(f"/api/flows/{default}"))["status"] == "archived"
    assert data_of(user.get(f"/api/flows/{flow_id}"))["status"] == "active"


# --- races ---


@pytest.mark.parametrize(("method", "ending"), [("PUT", "/draft"), ("GET", "/versions"), ("POST", "/publish")])
def test_change_of_an_editor_meanwhile_is_a_conflict(
    environment: Environment, flows: Flows, root: Path, flow_id: str, method: str, ending: str
) -> None:
    # The user's own earlier write is a version that a further one replaces, until a draft refers to it.
    data_of(environment.user.put(f"/api/flows/{flow_id}", {"description": "first"}))
    flows("export", environment.development).succeeded()
    rewrite(root, "title: Welcome", "title: Hi")
    edit = {"description": "changed meanwhile"}
    environment.service.before(method, ending, lambda: data_of(environment.user.put(f"/api/flows/{flow_id}", edit)))
    assert flows("apply", environment.development).failed() == f"onboarding: flows/welcome.yaml: {CONFLICT}\n"
    assert data_of(environment.user.get(f"/api/flows/{flow_id}"))["description"] == "changed meanwhile"
    assert title_of(environment.user, flow_id) == "Welcome"
    assert environment.user.get(f"/api/flows/{flow_id}/draft").status_code == 404
    again = flows("apply", environment.development).succeeded()
    assert '  description: "changed meanwhile" → "first"' in again


def test_status_changed_meanwhile_is_a_conflict(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    rewrite(root, "status: active", "status: archived")
    environment.service.before(
        "PUT", flow_id, lambda: data_of(environment.user.put(f"/api/flows/{flow_id}", {"name": "Other"}))
    )
    assert CONFLICT in flows("apply", environment.development).failed()
    assert data_of(environment.user.get(f"/api/flows/{flow_id}"))["status"] == "active"


def test_requests_without_responses_are_repeated_and_take_effect_once(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    rewrite(root, "title: Welcome", "title: Hi")
    rewrite(root, "is_default: false", "is_default: true")
    (root / "flows/new.yaml").write_text("name: New\n")
    (root / "themes").mkdir()
    (root / "themes/dark.yaml").write_text("name: Dark\n")
    environment.service.lose_responses(
        ("POST", "/themes"),
        ("POST", "/flows"),
        ("PUT", "/draft"),
        ("POST", "/publish"),
        ("PUT", flow_id),
        ("GET", "/versions"),
    )
    assert flows("apply", environment.development).succeeded().endswith("2 created, 1 changed, 0 unchanged.\n")
    assert flows("apply", environment.development, "--prune").succeeded() == NOTHING
    assert [version["origin"] for version in versions_of(environment.user, flow_id)] == ["published", "created"]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "ending"), [("POST", "/publish"), ("PUT", "/draft"), ("GET", "/versions/1")])
def test_killed_apply_is_completed_by_the_next_one(
    environment: Environment, flows: Flows, root: Path, flow_id: str, method: str, ending: str
) -> None:
    rewrite(root, "title: Welcome", "title: Hi")
    for number in range(3):
        (root / f"flows/a-{number}.yaml").write_text(f"name: New {number}\n")
    variables = {"ONBOARDING_API_KEY": environment.api_key, "ONBOARDING_MANAGEMENT_URL": environment.url}
    arguments = ["flows", "apply", str(root), "--project", environment.development]
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-P", "-m", "cli.main", *arguments],
        env={**os.environ, **variables, "PYTHONPATH": str(Path(__file__).parents[4])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:
        try:
            environment.service.before(method, ending, command.kill)
            assert command.wait(60) != 0
        finally:
            command.kill()
    # The service goes on with the request of a client that is gone.
    eventually(lambda: not environment.service.running)
    for ids in (root / "ids").iterdir():
        ids.unlink()
    flows("apply", environment.development).succeeded()
    assert flows("apply", environment.development).succeeded() == NOTHING
    assert title_of(environment.user, flow_id) == "Hi"
    assert environment.user.get(f"/api/flows/{flow_id}/draft").status_code == 404
    found = data_of(environment.user.get("/api/flows", params={"project_id": environment.development}))
    assert sorted(flow["name"] for flow in found) == ["New 0", "New 1", "New 2", "Welcome"]


# --- refusals ---


@pytest.mark.usefixtures("flow_id")
def test_refused_keys_and_projects_are_one_line(environment: Environment, flows: Flows, root: Path) -> None:
    project_id = environment.development
    wrong = flows("apply", project_id, ONBOARDING_API_KEY="obk_wrong-secret").failed()
    assert "set ONBOARDING_API_KEY" in wrong
    assert "wrong-secret" not in wrong
    viewer = environment.management.member("vera", project_id, Role.VIEWER)
    rewrite(root, "title: Welcome", "title: Hi")
    flows("apply", project_id, "--dry-run", ONBOARDING_API_KEY=viewer.api_key()).succeeded()
    refused = flows("apply", project_id, ONBOARDING_API_KEY=viewer.api_key()).failed()
    assert refused.startswith("onboarding: flows/welcome.yaml: ")
    outsider = environment.management.user("eve").api_key()
    missing = flows("apply", project_id, ONBOARDING_API_KEY=outsider).failed()
    assert missing.startswith(f"onboarding: project {project_id}: ")
    assert all(len(text.splitlines()) == 1 for text in (wrong, refused, missing))


@pytest.mark.usefixtures("flow_id")
def test_unreachable_and_foreign_services_are_one_line(environment: Environment, flows: Flows) -> None:
    unreachable = flows("apply", environment.development, "--url", "http://127.0.0.1:1").failed(3)
    assert unreachable == "onboarding: http://127.0.0.1:1 cannot be reached: [Errno 111] Connection refused\n"
    foreign = flows("apply", environment.development, "--url", f"{environment.url}/elsewhere").failed()
    assert len(foreign.splitlines()) == 1


@pytest.mark.usefixtures("flow_id")
def test_wrong_usage_exits_with_two(environment: Environment, flows: Flows) -> None:
    def ended(*options: str, **variables: str) -> Ended:
        return flows("apply", environment.development, *options, **variables)

    for wrong, named in (
        (ended(ONBOARDING_API_KEY=""), "ONBOARDING_API_KEY"),
        (ended(ONBOARDING_MANAGEMENT_URL=""), "ONBOARDING_MANAGEMENT_URL"),
        (ended("--url", "ftp://x"), "--url"),
        (ended("--prune", "--draft"), "--prune"),
    ):
        assert (wrong.status, named in wrong.errors) == (2, True)


@pytest.mark.usefixtures("flow_id")
def test_wrong_file_stops_before_any_request(environment: Environment, flows: Flows, root: Path) -> None:
    rewrite(root, "priority: 0", "prio: 0")
    ended = flows("apply", environment.development, "--url", "http://127.0.0.1:1").failed()
    assert ended == "onboarding: flows/welcome.yaml: line 5: prio: is not a known member\n"
    rewrite(root, "prio: 0", "theme: dark")
    rewrite(root, "theme: null\n", "")
    ended = flows("apply", environment.development).failed()
    assert ended == "onboarding: flows/welcome.yaml: theme: there is no themes/dark.yaml\n"


def test_texts_that_control_a_terminal_are_escaped(
    environment: Environment, flows: Flows, root: Path, flow_id: str
) -> None:
    content = {"title": "\x7f\u202eHi", "\u009b31m": "red"}
    data_of(environment.user.put(f"/api/flows/{flow_id}", {"name": "\u202eWelcome"}))
    (root / "flows/welcome.yaml").write_text(
        f"name: Welcome\nscreens:\n- key: hello\n  type: welcome\n  content: {content}\n"
    )
    output = flows("apply", environment.development, "--dry-run")
    assert "\\u202eHi" in output.succeeded()
    assert all(character.isprintable() or character == "\n" for character in output.output), output
