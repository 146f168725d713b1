"""A published SDK, step by step: three GETs with a strict decoder, then the page's own requests.

The browser is part of the tests of the pages; here are all bytes that cross the network.
"""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import orjson
import pytest

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard
from tests.support.polling import eventually
from tools import web


class GlobalConfig(msgspec.Struct, forbid_unknown_fields=True):
    """The body that a published SDK decodes in step 1."""

    backendDomain: str  # noqa: N815 - as it is sent


class ResolvedFlow(msgspec.Struct):
    """The body that a published SDK decodes in step 2; it ignores other members."""

    flowId: str  # noqa: N815 - as above


class PageParser(HTMLParser):
    """Collects the links of a page, its document, and code that its policy would forbid."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.document: dict[str, Any] = {}
        self.inline_code: list[str] = []
        self._is_document = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._is_document = tag == "script" and attributes.get("id") == "flow"
        self.links += [value for name in ("href", "src") if (value := attributes.get(name))]
        self.inline_code += [name for name in attributes if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in attributes and not self._is_document):
            self.inline_code.append(tag)

    def handle_data(self, data: str) -> None:
        if self._is_document:
            self.document = orjson.loads(data)
            self._is_document = False


@pytest.fixture(scope="session", autouse=True)
def _built_pages() -> None:
    """Build the pages, as `make run` does beside the start."""
    web.build(["pages"])


def read(html: str) -> PageParser:
    page = PageParser()
    page.feed(html)
    return page


def add_project(dashboard: Dashboard) -> tuple[str, str, str]:
    """Add a project with an active flow; return its id, its secret key and the flow's id."""
    project = dashboard.post("/projects", {"name": "Journey"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    screens = [{"type": "welcome", "content": {"title": "Hello </script>"}}]
    flow = {"projectId": project["id"], "name": "Welcome", "status": "active", "is_default": True, "screens": screens}
    return project["id"], key, dashboard.post("/flows", flow)["id"]


def backend_domain(http: httpx.Client, edge_url: str, project_id: str, key: str) -> str | None:
    """Do step 1; None until the project is published."""
    response = http.get(f"{edge_url}/api/global-config?apiKey={key}&projectId={project_id}")
    if response.status_code != 200:
        return None
    return msgspec.json.decode(response.content, type=GlobalConfig, strict=True).backendDomain


def page_at(http: httpx.Client, url: str) -> httpx.Response | None:
    """Return a page; None until it is published."""
    response = http.get(url)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    return response if response.status_code == 200 else None


def test_preview_link_shows_the_draft_to_everyone(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard
) -> None:
    project_id, key, flow_id = add_project(dashboard)
    draft: dict[str, Any] = {"name": "Welcome", "screens": [{"type": "welcome", "content": {"title": "The draft"}}]}
    dashboard.put(f"/flows/{flow_id}/draft", {"document": draft})
    url = dashboard.post(f"/flows/{flow_id}/preview-link", {})["url"]
    response = eventually(lambda: page_at(http, url), within=60)
    page = read(response.text)
    assert (page.document["screens"][0]["content"], page.document["mode"]) == ({"title": "The draft"}, "preview")
    # A later change of the draft is shown, too.
    draft["screens"][0]["content"] = {"title": "The draft again"}
    dashboard.put(f"/flows/{flow_id}/draft", {"document": draft})
    eventually(lambda: "The draft again" in http.get(url).text, within=30)
    # The live page stays as it is, and the link opens nothing else.
    backend = eventually(lambda: backend_domain(http, addresses.edge_url, project_id, key), within=30)
    live = eventually(lambda: page_at(http, f"{backend}/onboarding/{flow_id}/1"), within=30)
    assert read(live.text).document["screens"][0]["content"] == {"title": "Hello </script>"}
    ticket = re.match("/s/[^/]+", urlsplit(url).path)
    assert ticket is not None
    resolve = f"{addresses.edge_url}{ticket[0]}/api/onboarding/resolve?projectId={project_id}&deviceId=phone"
    assert http.get(resolve).status_code == 401
    # A revoked link is one that the edge has no page for: 503 in its first minute, then 404. The live page stays.
    dashboard.delete(f"/flows/{flow_id}/preview-link")
    eventually(lambda: http.get(url).status_code in {404, 503}, within=30)
    assert "The draft" not in http.get(url).text
    assert http.get(f"{backend}/onboarding/{flow_id}/1").status_code == 200
