"""The load test finds the running stack, or ends with a message of one line."""

import json
from pathlib import Path

import pytest

from deploy.local.loopback_ports import free_port
from loadtests.mobile.running_stack import NoStackError, RunningStack, find_running_stack


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the state folder of the load."""
    monkeypatch.setenv("ONBOARDING_STATE_DIR", str(tmp_path))
    return tmp_path


def test_missing_stack_prints_the_command_that_starts_it() -> None:
    with pytest.raises(NoStackError, match=r"no stack is running: there is no \S*demo\.json; start one"):
        find_running_stack()


def test_ended_stack_is_distinguished_from_a_running_stack(state_folder: Path) -> None:
    demo = {"edge_url": f"http://127.0.0.1:{free_port()}", "project_id": "proj_1", "secret_key": "obk_sk_1"}
    (state_folder / "demo.json").write_text(json.dumps(demo))
    with pytest.raises(NoStackError, match="no response from http:"):
        find_running_stack()


@pytest.mark.parametrize("content", ["", "{}", "[]", "{"])
def test_empty_file_is_no_stack(state_folder: Path, content: str) -> None:
    (state_folder / "demo.json").write_text(content)
    with pytest.raises(NoStackError, match="cannot be used"):
        find_running_stack()


@pytest.mark.parametrize(("url", "expected"), [("http://127.0.0.1:8080", True), ("https://edge.example", False)])
def test_phones_have_addresses_of_their_own_on_this_machine_only(url: str, expected: bool) -> None:  # noqa: FBT001 - a row
    assert RunningStack(url, "proj_1", "obk_sk_1").is_on_this_machine is expected


def test_the_secret_key_is_not_shown() -> None:
    assert "obk_sk_1" not in repr(RunningStack("http://127.0.0.1:8080", "proj_1", "obk_sk_1"))
