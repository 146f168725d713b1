"""The output of a stack that is ready."""

import json
import shlex
import stat
import threading
from pathlib import Path

import pytest

from cli.demo.project import DemoProject
from deploy.local.dashboard_link import dashboard_line, report_when_built
from deploy.local.loopback_ports import LOOPBACK, address_in_network
from deploy.local.settings import StackSettings
from deploy.local.startup_summary import startup_summary, write_demo_file
from deploy.local.state_folder import StateFolder
from management_api.dashboard.development import sign_in_path
from management_api.dashboard.files import DashboardFiles

_DEMO = DemoProject(project_id="proj_1", secret_key="obk_sk_1", api_key="obk_api_1")


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> StackSettings:
    monkeypatch.setenv("EDGE_PORT", "18080")
    monkeypatch.setenv("MANAGEMENT_PORT", "18081")
    return StackSettings()


def test_summary_names_the_metrics_page_of_each_process(tmp_path: Path, settings: StackSettings) -> None:
    urls = {"edge": "http://127.0.0.1:9401/metrics"}
    assert f"metrics     {urls['edge']} (edge)" in startup_summary(
        StateFolder(tmp_path), settings, _DEMO, None, None, urls, None
    )


def test_summary_ends_with_a_short_link_that_signs_in_to_a_built_dashboard(
    tmp_path: Path, settings: StackSettings
) -> None:
    link = dashboard_line(settings, "a.b.c")
    assert link == f"Open http://127.0.0.1:18081{sign_in_path('a.b.c')}"
    assert len(link) < 70
    summary = startup_summary(StateFolder(tmp_path), settings, _DEMO, link, None, {}, None)
    assert summary.splitlines()[-2:] == ["ready", link]
    assert startup_summary(StateFolder(tmp_path), settings, _DEMO, None, None, {}, None).splitlines()[-1] == "ready"


@pytest.mark.parametrize(
    ("host", "reachable", "public"),
    [("0.0.0.0", LOOPBACK, address_in_network()), ("192.0.2.7", "192.0.2.7", "192.0.2.7")],  # noqa: S104 - a setting
)
def test_stack_in_a_network_has_addresses_for_other_machines(
    monkeypatch: pytest.MonkeyPatch, settings: StackSettings, host: str, reachable: str, public: str
) -> None:
    monkeypatch.setenv("ONBOARDING_STACK_HOST", host)
    settings = StackSettings()
    assert (settings.edge_url, settings.public_edge_url) == (f"http://{reachable}:18080", f"http://{public}:18080")
    assert settings.public_management_url == f"http://{public}:18081"
    assert dashboard_line(settings, "a.b.c").startswith(f"Open http://{public}:18081/")


def test_dashboard_that_is_built_later_is_reported_once_it_can_be_opened(tmp_path: Path) -> None:
    reported = threading.Event()
    report_when_built(DashboardFiles(tmp_path), reported.set)
    assert not reported.wait(0.2)
    (tmp_path / "index.html").write_text("<!doctype html>")
    assert reported.wait(10)


def test_summary_has_the_address_of_a_hosted_page_if_there_is_one(tmp_path: Path, settings: StackSettings) -> None:
    page = "http://127.0.0.1:18080/s/ticket/onboarding/flow_1/1"
    summary = startup_summary(StateFolder(tmp_path), settings, _DEMO, None, page, {}, None)
    assert f"page        {page}" in summary.splitlines()
    assert "page" not in startup_summary(StateFolder(tmp_path), settings, _DEMO, None, None, {}, None).split()


def test_each_public_endpoint_has_a_valid_curl_command(tmp_path: Path, settings: StackSettings) -> None:
    lines = startup_summary(StateFolder(tmp_path), settings, _DEMO, None, None, {}, None).splitlines()
    curls = [shlex.split(line) for line in lines if line.startswith("curl ")]
    assert [words[-1] for words in curls] == [
        f"http://127.0.0.1:18080/api/{path}" for path in ("onboarding/resolve", "config", "analytics/event")
    ]
    bodies = [json.loads(words[words.index("-d") + 1]) for words in curls if "-d" in words]
    assert [set(body) for body in bodies] == [{"deviceId"}, {"deviceId", "eventType"}]
    assert all("X-Secret-Key: obk_sk_1" in words for words in curls)


def test_summary_has_the_lines_that_show_the_demo_flow_by_the_web_sdk(tmp_path: Path, settings: StackSettings) -> None:
    summary = startup_summary(StateFolder(tmp_path), settings, _DEMO, None, None, {}, None)
    options = {"baseUrl": "http://127.0.0.1:18080", "projectId": "proj_1", "secretKey": "obk_sk_1"}
    lines = [line for line in summary.splitlines() if "nboarding" in line and "curl" not in line]
    assert f"const onboarding = createOnboarding({json.dumps(options)});" in lines
    assert "const { outcome, answers } = await showOnboarding(onboarding);" in lines


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
