"""Resolves in projects whose QA devices get flows or their drafts, sent by other devices."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from loadtests.benchmarks.edge.cases import Case
from loadtests.benchmarks.edge.programs import Stack, call

QA_DEVICES = 20
_PUBLISHED_SECONDS = 30.0
_FLOW = {"name": "Welcome", "screens": [{"type": "welcome", "content": {"title": "Hello"}}]}


def qa_device_cases(stack: Stack, resolve: Case) -> Iterator[Case]:
    """Yield the resolves of two projects, when the edge serves them; the second one shows drafts."""
    request_json = partial(call, stack.management_port, stack.api_key)
    for name, has_drafts in (("resolve, QA devices", False), ("resolve, QA devices with drafts", True)):
        project_id = request_json("POST", "/api/projects", {"name": name})["data"]["id"]
        flow = {**_FLOW, "projectId": project_id}
        request_json("POST", "/api/flows", {**flow, "status": "active", "is_default": True})
        devices: dict[str, object] = {}
        for number in range(QA_DEVICES):
            flow_id = request_json("POST", "/api/flows", flow)["data"]["id"]
            if has_drafts:
                request_json("PUT", f"/api/flows/{flow_id}/draft", {"document": {**_FLOW, "name": "Draft"}})
            devices[f"tester-{number}"] = {"flow_id": flow_id, "draft": has_drafts}
        request_json("PUT", f"/api/projects/{project_id}/qa-devices", {"devices": devices})
        key = request_json("GET", f"/api/projects/{project_id}/api-keys")["data"]["secret_keys"][0]["secret_key"]
        own = {"X-Project-Id": project_id, "X-Secret-Key": key}
        case = replace(resolve, name=name, headers={**resolve.headers, **own}, aim=None)
        _wait_for_override(case, stack.edge.port)
        yield case


def _wait_for_override(case: Case, port: int) -> None:
    """Wait until a QA device gets its flow."""
    body = f'{{"deviceId":"tester-{QA_DEVICES - 1}"}}'.encode()
    request = Request(f"http://127.0.0.1:{port}{case.path}", body, dict(case.headers))
    deadline = time.monotonic() + _PUBLISHED_SECONDS
    while time.monotonic() < deadline:
        # An error while the project is not published yet.
        with contextlib.suppress(HTTPError), urlopen(request, timeout=20) as response:  # noqa: S310 - http on the loopback
            if b'"source":"override"' in response.read():
                return
        time.sleep(0.05)
    raise RuntimeError("the edge does not serve the QA devices")
