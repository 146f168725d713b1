"""A POST whose management worker is killed was executed completely or not at all, and can be repeated."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import psutil
import pytest

from tests.e2e.api_clients import Dashboard
from tests.faults.conftest import KillableStack
from tests.support.databases.locked_project import locked_project
from tests.support.polling import eventually

pytestmark = pytest.mark.slow


def kill_workers(killable_stack: KillableStack) -> None:
    """Send SIGKILL to every worker of the management service; its parent starts new ones."""
    for worker in psutil.Process(killable_stack.stack.pid_of("management")).children(recursive=True):
        worker.kill()


def test_post_whose_worker_is_killed_is_executed_once_when_repeated(
    http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard
) -> None:
    project_id = dashboard.post("/projects", {"name": "Killed"})["id"]
    request = http.build_request(
        "POST",
        f"{killable_stack.stack.management_url}/api/flows",
        json={"projectId": project_id, "name": "Only once"},
        headers={
            "Authorization": f"Bearer {killable_stack.stack.token('owner@example.com')}",
            "Idempotency-Key": "only once",
        },
    )

    def repeat() -> httpx.Response | None:
        try:
            response = http.send(request)
        except httpx.TransportError:
            return None
        return response if response.status_code != 503 else None

    with locked_project(killable_stack.database_url, project_id) as lock, ThreadPoolExecutor(1) as pool:
        first = pool.submit(http.send, request)
        lock.waiting(1)
        kill_workers(killable_stack)
        with pytest.raises(httpx.TransportError):
            first.result()
    response = eventually(repeat, within=30)
    assert response.status_code == 201
    assert "idempotency-replayed" not in response.headers
    repeated = http.send(request)
    assert (repeated.content, repeated.headers["idempotency-replayed"]) == (response.content, "true")
    assert [flow["id"] for flow in dashboard.get(f"/flows?projectId={project_id}")] == [response.json()["data"]["id"]]
