"""The output of a stack that is ready."""

import json
import shlex
import stat
from pathlib import Path

import pytest

from deploy.local.demo_project import DemoProject
from deploy.local.settings import StackSettings
from deploy.local.startup_summary import startup_summary, write_demo_file
from deploy.local.state_folder import StateFolder

_DEMO = DemoProject(project_id="proj_1", secret_key="obk_sk_1", api_key="obk_api_1")


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> StackSettings:
    monkeypatch.setenv("EDGE_PORT", "18080")
    monkeypatch.setenv("MANAGEMENT_PORT", "18081")
    return StackSettings()


def test_last_line_is_ready(tmp_path: Path, settings: StackSettings) -> None:
    assert startup_summary(StateFolder(tmp_path), settings, _DEMO, "a.b.c", None, {}, None).splitlines()[-1] == "ready"


def test_summary_names_the_metrics_page_of_each_process(tmp_path: Path, settings: StackSettings) -> None:
    urls = {"edge": "http://127.0.0.1:9401/metrics"}
    assert f"metrics     {urls['edge']} (edge)" in startup_summary(
        StateFolder(tmp_path), settings, _DEMO, "a.b.c", None, urls, None
    )


def test_summary_has_a_link_that_signs_in_to_the_dashboard(tmp_path: Path, settings: StackSettings) -> None:
    summary = startup_summary(StateFolder(tmp_path), settings, _DEMO, "a.b.c", None, {}, None)
    assert "dashboard   http://127.0.0.1:18081/dashboard/#token=a.b.c" in summary.splitlines()


def test_summary_has_the_address_of_a_hosted_page_if_there_is_one(tmp_path: Path, settings: StackSettings) -> None:
    page = "http://127.0.0.1:18080/s/ticket/onboarding/flow_1/1"
    summary = startup_summary(StateFolder(tmp_path), settings, _DEMO, "a.b.c", page, {}, None)
    assert f"page        {page}" in summary.splitlines()
    assert "page" not in startup_summary(StateFolder(tmp_path), settings, _DEMO, "a.b.c", None, {}, None).split()


def test_each_public_endpoint_has_a_valid_curl_command(tmp_path: Path, settings: StackSettings) -> None:
    lines = startup_summary(StateFolder(tmp_path), settings, _DEMO, "a.b.c", None, {}, None).splitlines()
    curls = [shlex.split(line) for line in lines if line.startswith("curl ")]
    assert [words[-1] for words in curls] == [
        f"http://127.0.0.1:18080/api/{path}" for path in ("onboarding/resolve", "config", "analytics/event")
    ]
    bodies = [json.loads(words[words.index("-d") + 1]) for words in curls if "-d" in words]
    assert [set(body) for body in bodies] == [{"deviceId"}, {"deviceId", "eventType"}]
    assert all("X-Secret-Key: obk_sk_1" in words for words in curls)


def test_demo_file_has_the_members_of_the_contract_and_mode_0600(tmp_path: Path, settings: StackSettings) -> None:
    state = StateFolder(tmp_path)
    write_demo_file(state, settings, _DEMO, "a.b.c")
    assert json.loads(state.demo_file.read_text()) == {
        "edge_url": "http://127.0.0.1:18080",
        "management_url": "http://127.0.0.1:18081",
        "api_key": "obk_api_1",
        "jwt": "a.b.c",
        "project_id": "proj_1",
        "secret_key": "obk_sk_1",
    }
    assert stat.S_IMODE(state.demo_file.stat().st_mode) == 0o600
