"""The local stack as a whole: starting, stopping, dying, and starting again."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Return a stack that these tests may kill, stop and start, if each waits until it is ready again."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as stack:
        yield stack


def test_ctrl_c_stops_everything_and_the_next_start_keeps_the_data(own_stack: RunningStack) -> None:
    first, processes = own_stack.demo, own_stack.pids()
    os.kill(processes["launcher"], signal.SIGINT)
    assert own_stack.wait() == 0
    assert [name for name, pid in processes.items() if _is_alive(pid)] == []

    own_stack.start()
    second = own_stack.demo
    assert {**first, "jwt": ""} == {**second, "jwt": ""}
    # The embedded development identity goes on with its key pair: an old token is still valid.
    assert _projects(own_stack, first["jwt"]) == [first["project_id"]]


def test_a_killed_launcher_leaves_no_orphan_and_the_next_start_works(own_stack: RunningStack) -> None:
    first, processes = own_stack.demo, own_stack.pids()
    own_stack.kill("launcher")
    own_stack.wait()

    own_stack.start()

    assert own_stack.demo["project_id"] == first["project_id"]
    assert [name for name, pid in processes.items() if _is_alive(pid)] == []


def test_second_launch_is_rejected_and_the_first_continues(stack: RunningStack, tmp_path: Path) -> None:
    before = stack.pids()
    second = RunningStack(stack.state_folder.parent)
    second.log_file = tmp_path / "second.log"
    assert second.launch().wait(30) == 1
    assert "another stack" in second.log
    assert len(second.log.splitlines()) == 1
    assert stack.pids() == before
    assert _is_ready(stack)


@pytest.mark.parametrize("name", ["postgresql", "valkey", "edge", "management", "publisher", "consumer"])
def test_killed_process_is_restarted(own_stack: RunningStack, name: str) -> None:
    killed = own_stack.kill(name)
    eventually(lambda: own_stack.pids().get(name, killed) != killed, within=20)
    eventually(lambda: _is_ready(own_stack), within=20)


@pytest.mark.parametrize("variable", ["EDGE_PORT", "MANAGEMENT_PORT"])
def test_port_in_use_is_one_line_that_names_the_variable(tmp_path: Path, variable: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        stack = RunningStack(tmp_path, {variable: str(port)})
        assert stack.launch().wait(30) == 1
    assert stack.log.splitlines() == [f"onboarding: port {port} is in use; choose another with {variable}=..."]


def _projects(stack: RunningStack, token: str) -> list[str]:
    response = httpx.get(f"{stack.management_url}/api/projects", headers={"Authorization": f"Bearer {token}"})
    return [project["id"] for project in response.json()["data"]]


def _is_ready(stack: RunningStack) -> bool:
    try:
        responses = [httpx.get(f"{url}/health/ready", timeout=5) for url in (stack.edge_url, stack.management_url)]
    except httpx.TransportError:
        return False
    return all(response.status_code == 200 for response in responses)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
