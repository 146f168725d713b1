"""The measured requests: eight kinds, sent alike to both services."""

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from loadtests.benchmarks.management.seed_data import MADE_NAME, Furniture

#: Method, path and body.
Request = tuple[str, str, dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Case:
    """One sort of request; `aim` is the ratio to the bare service that it shall reach."""

    name: str
    aim: float
    templates: Callable[[Furniture], Iterator[Request]]
    makes_rows: bool = False

    def requests(self, furniture: Furniture, credential: str) -> Callable[[], bytes]:
        """Return a function that returns the bytes of the next request."""
        made = [_request(credential, *each) for each in self.templates(furniture)]
        return itertools.cycle(made).__next__


def cases() -> tuple[Case, ...]:
    """Return all cases, in the order of the table."""
    return (
        Case("list projects (20 rows + count)", 0.5, _list_projects),
        Case("get a project", 0.5, _get_project),
        Case("create a project", 0.3, _create_project, makes_rows=True),
        Case("update a project", 0.3, _update_project),
        Case("list flows (20 rows + count)", 0.5, _list_flows),
        Case("get a flow", 0.5, _get_flow),
        Case("create a flow", 0.3, _create_flow, makes_rows=True),
        Case("update a flow", 0.3, _update_flow),
    )


def _list_projects(_furniture: Furniture) -> Iterator[Request]:
    for page in (1, 2, 3):
        yield "GET", f"/api/projects?page={page}", None


def _get_project(furniture: Furniture) -> Iterator[Request]:
    for project_id in furniture.project_ids:
        yield "GET", f"/api/projects/{project_id}", None


def _create_project(_furniture: Furniture) -> Iterator[Request]:
    yield "POST", "/api/projects", {"name": MADE_NAME, "description": "It is removed again"}


def _update_project(furniture: Furniture) -> Iterator[Request]:
    # Two rounds with different texts, so that every request does change something.
    for text in ("Before", "After"):
        for number, project_id in enumerate(furniture.project_ids):
            body = {"name": f"Project {number}", "description": f"{text} noon"}
            yield "PUT", f"/api/projects/{project_id}", body


def _list_flows(furniture: Furniture) -> Iterator[Request]:
    for page in (1, 2, 3):
        yield "GET", f"/api/flows?projectId={furniture.project_id}&page={page}", None


def _get_flow(furniture: Furniture) -> Iterator[Request]:
    for flow_id in furniture.flow_ids:
        yield "GET", f"/api/flows/{flow_id}", None


def _create_flow(furniture: Furniture) -> Iterator[Request]:
    # Changes to one project queue up, which would measure the queue: so the projects take turns.
    for project_id in furniture.project_ids:
        body = {"name": MADE_NAME, "description": "It is removed again", "status": "draft", "priority": 1}
        yield "POST", "/api/flows", {"projectId": project_id, **body}


def _update_flow(furniture: Furniture) -> Iterator[Request]:
    for text in ("Before", "After"):
        for number, flow_id in enumerate(furniture.own_flow_ids):
            yield "PUT", f"/api/flows/{flow_id}", {"name": f"Flow {number}", "description": text, "priority": number}


def _request(credential: str, method: str, path: str, body: dict[str, Any] | None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {credential}\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"\r\n" + content
