"""The measured requests: eight kinds, sent to both services."""

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from loadtests.benchmarks.management.seed_data import CREATED_NAME, SeedData

#: Method, path and body.
Request = tuple[str, str, dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request; `aim` is the wanted ratio to the bare service."""

    name: str
    aim: float
    templates: Callable[[SeedData], Iterator[Request]]
    creates_rows: bool = False

    def requests(self, seed_data: SeedData, credential: str) -> Callable[[], bytes]:
        """Return a function that returns the bytes of the next request."""
        encoded = [_request(credential, *request) for request in self.templates(seed_data)]
        return itertools.cycle(encoded).__next__


def cases() -> tuple[Case, ...]:
    """Return all cases, in the order of the table."""
    return (
        Case("list projects (20 rows + count)", 0.5, _list_projects),
        Case("get a project", 0.5, _get_project),
        Case("create a project", 0.3, _create_project, creates_rows=True),
        Case("update a project", 0.3, _update_project),
        Case("list flows (20 rows + count)", 0.5, _list_flows),
        Case("get a flow", 0.5, _get_flow),
        Case("create a flow", 0.3, _create_flow, creates_rows=True),
        Case("update a flow", 0.3, _update_flow),
    )


def _list_projects(_seed_data: SeedData) -> Iterator[Request]:
    for page in (1, 2, 3):
        yield "GET", f"/api/projects?page={page}", None


def _get_project(seed_data: SeedData) -> Iterator[Request]:
    for project_id in seed_data.project_ids:
        yield "GET", f"/api/projects/{project_id}", None


def _create_project(_seed_data: SeedData) -> Iterator[Request]:
    yield "POST", "/api/projects", {"name": CREATED_NAME, "description": "It is removed again"}


def _update_project(seed_data: SeedData) -> Iterator[Request]:
    # Two rounds with different texts, so that every request is a change.
    for text in ("Before", "After"):
        for number, project_id in enumerate(seed_data.project_ids):
            body = {"name": f"Project {number}", "description": f"{text} noon"}
            yield "PUT", f"/api/projects/{project_id}", body


def _list_flows(seed_data: SeedData) -> Iterator[Request]:
    for page in (1, 2, 3):
        yield "GET", f"/api/flows?projectId={seed_data.project_id}&page={page}", None


def _get_flow(seed_data: SeedData) -> Iterator[Request]:
    for flow_id in seed_data.flow_ids:
        yield "GET", f"/api/flows/{flow_id}", None


def _create_flow(seed_data: SeedData) -> Iterator[Request]:
    # Changes of one project wait for each other, so the projects take turns.
    for project_id in seed_data.project_ids:
        body = {"name": CREATED_NAME, "description": "It is removed again", "status": "draft", "priority": 1}
        yield "POST", "/api/flows", {"projectId": project_id, **body}


def _update_flow(seed_data: SeedData) -> Iterator[Request]:
    for text in ("Before", "After"):
        for number, flow_id in enumerate(seed_data.own_flow_ids):
            yield "PUT", f"/api/flows/{flow_id}", {"name": f"Flow {number}", "description": text, "priority": number}


def _request(credential: str, method: str, path: str, body: dict[str, Any] | None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {credential}\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"\r\n" + content
