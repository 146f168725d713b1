"""A worker of the management service that is killed inside a POST has done all of it or nothing; send it again."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import psutil
import pytest

from tests.faults.conftest import KillableStack
from tests.held_project import held_project
from tests.journey.visitors import Dashboard
from tests.polling import eventually


def kill_workers(killable_stack: KillableStack) -> None:
    """Kill -9 every worker of the management service; its launcher makes new ones."""
    for worker in psutil.Process(killable_stack.stack.pid_of("management")).children(recursive=True):
        worker.kill()


def test_a_post_whose_worker_is_killed_is_done_once_when_sent_again(
    http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard
) -> None:
    project_id = dashboard.post("/projects", {"name": "Hurt"})["id"]
    request = http.build_request(
        "POST",
        f"{killable_stack.stack.management_url}/api/flows",
        json={"projectId": project_id, "name": "Only once"},
        headers={
            "Authorization": f"Bearer {killable_stack.stack.token('owner@example.com')}",
            "Idempotency-Key": "only once",
        },
    )

    def send_again() -> httpx.Response | None:
        try:
            answer = http.send(request)
        except httpx.TransportError:
            return None
        return answer if answer.status_code != 503 else None

    with held_project(killable_stack.database_url, project_id) as held, ThreadPoolExecutor(1) as pool:
        first = pool.submit(http.send, request)
        held.waiting(1)
        kill_workers(killable_stack)
        with pytest.raises(httpx.TransportError):
            first.result()
    answer = eventually(send_again, within=30)
    assert answer.status_code == 201
    assert "idempotency-replayed" not in answer.headers
    again = http.send(request)
    assert (again.content, again.headers["idempotency-replayed"]) == (answer.content, "true")
    assert [flow["id"] for flow in dashboard.get(f"/flows?projectId={project_id}")] == [answer.json()["data"]["id"]]
